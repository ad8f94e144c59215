import { sql } from 'kysely';
import { countEntries, sortById } from '../../../lib/tree/manifest.ts';
import type { Context } from '../../../platform/context/context.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { asc } from '../../../platform/paging/order.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import type { RevisionRow } from '../revisions/index.ts';
import { type FileRow, filesHashOf, filesIn, filesSource, readFiles } from './file-row.ts';
import { manifestList } from './manifest-list.ts';

const NAME = 'revision.files';

/** The files of a revision ordered by id, and therefore by creation. */
export const filesOf = (ctx: Context, revision: RevisionRow): Listed<FileRow> =>
  manifestList(ctx, NAME, {
    head: revision.filesHash === null ? undefined : headFiles(ctx, revision.id, {}),
    read: () => readFiles(ctx, revision),
    total: () => countEntries(filesHashOf(revision), filesSource(ctx, revision)),
  });

/**
 * The files of a revision with these ids, as a list with the same order and cursors. Ids that the revision does not
 * have are left out.
 */
export function filesAmong(ctx: Context, revision: RevisionRow, ids: readonly string[]): Listed<FileRow> {
  const read = async () => sortById((await filesIn(ctx, revision, ids)).values());
  return manifestList(ctx, NAME, { head: undefined, read, total: async () => (await read()).length });
}

/**
 * The projected files of a revision while it is the head of its space. Otherwise empty, checked in the same statement.
 */
const headFiles = listing<Record<string, never>, FileRow & Record<string, unknown>>({
  name: NAME,
  from: 'head_file as f',
  join: sql`join space s on s.id = f.space_id join revision r on r.space_id = s.id and r.id = s.revision_id`,
  select: sql`f.file_id as id, f.name, f.content_type as "contentType", f.size, f.width, f.height,
    encode(f.blob_hash, 'hex') as blob, r.id as "revisionId", f.organization_id as "organizationId"`,
  parent: 'r.id',
  order: [asc('id', 'text', 'f.fileId')],
});
