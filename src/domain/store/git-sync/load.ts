import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { batchLoader } from '../../../platform/loader.ts';

export type GitSyncRow = Row<'git_sync'>;
export type GitFileRow = Row<'git_file'>;

/** The synchronization of a space, batched and without a permission check. Undefined if there is none. */
export const loadGitSync = batchLoader<GitSyncRow>('git sync', async ({ db }, spaceIds) => {
  const rows = await db.selectFrom('git_sync').where('spaceId', '=', anyOf(spaceIds)).selectAll().execute();
  return new Map(rows.map((row) => [row.spaceId, row]));
});

/** Path and object ID of the file of a page, file or reusable content. */
export interface GitBlob {
  oid: string;
  path: string;
}

const loadBlob = batchLoader<GitBlob>('git file', async ({ db }, keys) => {
  const [spaceIds, targetIds] = [keys.map((key) => key.split(' ')[0]), keys.map((key) => key.split(' ')[1])];
  const { rows } = await sql<GitBlob & { key: string }>`
    select w.space_id || ' ' || w.target_id as key, g.oid, concat_ws('/', nullif(s.project_directory, ''), g.path) as path
    from unnest(${spaceIds}::text[], ${targetIds}::text[]) as w(space_id, target_id)
    join git_sync s on s.space_id = w.space_id
    join git_file g on g.space_id = w.space_id and g.target_id = w.target_id and g.oid is not null`.execute(db);
  return new Map(rows.map(({ key, ...blob }) => [key, blob]));
});

/** The file that a page, file or reusable content of a space has in its branch, batched. Undefined if it has none. */
export const gitBlobOf = (ctx: Context, spaceId: string, targetId: string): Promise<GitBlob | undefined> =>
  loadBlob(ctx, `${spaceId} ${targetId}`);

/** The latest run of a space that is not standalone. */
export type GitOperation = Pick<
  Row<'git_run'>,
  'spaceId' | 'status' | 'direction' | 'createdAt' | 'completedAt' | 'reason'
>;

/** The latest import or export of a space, batched. Undefined if there is none. */
export const latestGitOperation = batchLoader<GitOperation>('git operation', async ({ db }, spaceIds) => {
  const { rows } = await sql<GitOperation>`
    select r.space_id, r.status, r.direction, r.created_at, r.completed_at, r.reason
    from unnest(${spaceIds}::text[]) as w(space_id)
    cross join lateral (
      select * from git_run g where g.space_id = w.space_id and not g.standalone and g.status <> 'skipped'
      order by g.created_at desc, g.id desc limit 1) r`.execute(db);
  return new Map(rows.map((row) => [row.spaceId, row]));
});
