import { sql } from 'kysely';
import { countEntries, sortById } from '../../../lib/tree/manifest.ts';
import type { Context } from '../../../platform/context/context.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { asc } from '../../../platform/paging/order.ts';
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
    head: reusableContentsHashOf(revision) === null ? undefined : contentsOfHead(ctx, revision.id),
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
const inHead = listing<Record<string, never>, ListedContent>({
  name: NAME,
  from: 'head_reusable_content as h',
  join: sql`join space s on s.id = h.space_id join revision r on r.space_id = s.id and r.id = s.revision_id`,
  select: sql`h.reusable_content_id as id, h.title, encode(h.document_hash, 'hex') as "documentHash",
    encode(h.source_hash, 'hex') as "sourceHash", h.computed,
    r.id as "revisionId", h.organization_id as "organizationId"`,
  parent: 'r.id',
  order: [asc('id', 'text', 'h.reusableContentId')],
});

type ListedContent = Omit<ReusableContentRow, 'documentHash' | 'sourceHash' | 'computed'> & {
  [Name in 'documentHash' | 'sourceHash' | 'computed']: ReusableContentRow[Name] | null;
} & Record<string, unknown>;

/** Leaves out what a content does not have, as in other revisions. */
function contentsOfHead(ctx: Context, revisionId: string): Listed<ReusableContentRow> {
  const listed = inHead(ctx, revisionId, {});
  return {
    total: listed.total,
    async page(paging) {
      const { rows, cursorOf, ...page } = await listed.page(paging);
      return {
        ...page,
        cursorOf: ({ id }) => cursorOf({ id } as ListedContent), // it only reads the id
        rows: rows.map(({ documentHash, sourceHash, computed, ...row }) => ({
          ...row,
          ...(documentHash && { documentHash }),
          ...(sourceHash && { sourceHash }),
          ...(computed && { computed }),
        })),
      };
    },
  };
}
