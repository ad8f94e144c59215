import { sql } from 'kysely';
import { countEntries } from '../../lib/tree/manifest.ts';
import type { Context } from '../../platform/context.ts';
import { cursorCodec } from '../../platform/paging/cursor.ts';
import { listing } from '../../platform/paging/listing.ts';
import type { Listed, Page, Paging } from '../../platform/paging/page.ts';
import type { RevisionRow } from '../revisions/index.ts';
import { type FileRow, filesHashOf, filesSource, readFiles } from './file-row.ts';

const NAME = 'revision.files';

/**
 * The files of a revision by id, which is by age. The head of a space is read page by page out of its projection; any
 * other revision out of its manifest, whose entries are not in this order and are all read. A cursor holds for both.
 */
export function filesOf(ctx: Context, revision: RevisionRow): Listed<FileRow> {
  return {
    async page(paging) {
      if (revision.files_hash !== null) {
        const page = await headFiles(ctx, revision.id, {}).page(paging);
        // No row may also mean that the revision is not, or no longer, the head.
        if (page.rows.length > 0 || paging.size === 0) return page;
      }
      return pageOfManifest(ctx, revision, paging);
    },
    total: () => countEntries(filesHashOf(revision), filesSource(ctx, revision)),
  };
}

/** The projected files of a revision, while it is the head of its space: none otherwise, as one statement sees it. */
const headFiles = listing<Record<string, never>, FileRow & Record<string, unknown>>({
  name: NAME,
  select: sql`f.file_id as id, f.name, f.content_type as "contentType", f.size, f.width, f.height,
    encode(f.blob_hash, 'hex') as blob, r.id as "revisionId", f.organization_id as "organizationId"`,
  from: (revisionId) => sql`
    from revision r
    join space s on s.id = r.space_id and s.revision_id = r.id
    join head_file f on f.space_id = s.id
    where r.id = ${revisionId}`,
  order: () => [{ by: sql`f.file_id`, key: 'id', direction: 'asc', type: 'text' }],
});

async function pageOfManifest(ctx: Context, revision: RevisionRow, paging: Paging): Promise<Page<FileRow>> {
  const { size, direction, cursor } = paging;
  const isForward = direction === 'forward';
  // Bound as the listing above binds its own.
  const codec = cursorCodec(ctx.services.secretKey, `${NAME}:{}`, 1);
  const [from] = cursor === undefined ? [] : codec.decode(cursor, [isForward ? 'after' : 'before']);
  const files = await readFiles(ctx, revision);
  const rest =
    from === undefined ? files : files.filter(({ id }) => (isForward ? id > String(from) : id < String(from)));
  const rows = isForward ? rest.slice(0, size) : rest.slice(Math.max(0, rest.length - size));
  const hasMore = rest.length > size && size > 0;
  return {
    rows,
    hasNext: isForward ? hasMore : cursor !== undefined,
    hasPrevious: isForward ? cursor !== undefined : hasMore,
    cursorOf: ({ id }) => codec.encode([id]),
  };
}
