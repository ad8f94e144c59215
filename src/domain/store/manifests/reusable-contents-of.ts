import { sql } from 'kysely';
import { countEntries, sortById } from '../../../lib/tree/manifest.ts';
import type { Context } from '../../../platform/context.ts';
import { listing } from '../../../platform/paging/listing.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import { manifestList } from './manifest-list.ts';
import {
  type ReusableContentRow,
  type RevisionOfContents,
  readReusableContents,
  reusableContentsHashOf,
  reusableContentsIn,
  reusableContentsSource,
} from './reusable-content-row.ts';

const NAME = 'revision.reusableContents';

/** The reusable contents of a revision ordered by id, and therefore by creation. */
export function reusableContentsOf(ctx: Context, revision: RevisionOfContents): Listed<ReusableContentRow> {
  const listed = manifestList(ctx, NAME, {
    head: reusableContentsHashOf(revision) === null ? undefined : inHead(ctx, revision.id, {}),
    read: () => readReusableContents(ctx, revision),
    total: () => countEntries(reusableContentsHashOf(revision), reusableContentsSource(ctx, revision)),
  });
  const { isUncomputed } = revision;
  if (!isUncomputed) return listed;
  return {
    ...listed,
    async page(paging) {
      const { rows, ...page } = await listed.page(paging);
      return { ...page, rows: rows.map((row) => ({ ...row, isUncomputed })) };
    },
  };
}

/** The reusable contents of a revision with these ids, as a list with the same order and cursors. */
export function reusableContentsAmong(
  ctx: Context,
  revision: RevisionOfContents,
  ids: readonly string[],
): Listed<ReusableContentRow> {
  const read = async () => sortById((await reusableContentsIn(ctx, revision, ids)).values());
  return manifestList(ctx, NAME, { head: undefined, read, total: async () => (await read()).length });
}

/**
 * The projected reusable contents of a revision while it is the head of its space. Otherwise empty, checked in the same
 * statement.
 */
const inHead = listing<Record<string, never>, ReusableContentRow & Record<string, unknown>>({
  name: NAME,
  select: sql`h.reusable_content_id as id, h.title, encode(h.document_hash, 'hex') as "documentHash",
    encode(h.source_hash, 'hex') as "sourceHash", h.computed,
    r.id as "revisionId", h.organization_id as "organizationId"`,
  from: (revisionId) => sql`
    from revision r
    join space s on s.id = r.space_id and s.revision_id = r.id
    join head_reusable_content h on h.space_id = s.id
    where r.id = ${revisionId}`,
  order: () => [{ by: sql`h.reusable_content_id`, key: 'id', direction: 'asc', type: 'text' }],
  shape: ({ documentHash, sourceHash, computed, ...row }) =>
    ({
      ...row,
      ...(documentHash && { documentHash }),
      ...(sourceHash && { sourceHash }),
      ...(computed && { computed }),
    }) as ReusableContentRow & Record<string, unknown>, // as selected above
});
