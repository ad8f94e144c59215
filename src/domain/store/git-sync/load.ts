import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { statement } from '../../../platform/database/statement.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { batchLoader, sharedLoader } from '../../../platform/reads/loader.ts';
import { sharedRead } from '../../../platform/reads/shared-reads.ts';
import { hasRoleToRead } from '../../people/access/index.ts';

export type GitSyncRow = Row<'git_sync'>;
export type GitFileRow = Row<'git_file'>;

const selectGitSyncs = statement((db, { spaceIds }: { spaceIds: string[] }) =>
  db.selectFrom('git_sync').where('spaceId', '=', anyOf(spaceIds)).selectAll(),
);

/** The synchronization of a space, batched and without a permission check. Undefined if there is none. */
export const loadGitSync = batchLoader<GitSyncRow>(
  'git sync',
  sharedRead(async (db, spaceIds) => {
    const rows = await selectGitSyncs({ db }, { spaceIds });
    return new Map(rows.map((row) => [row.spaceId, row]));
  }),
);

/** Path and object ID of the file of a page, file or reusable content. */
export interface GitBlob {
  oid: string;
  path: string;
}

const loadBlob = batchLoader<GitBlob>('git file', async ({ db }, keys) => {
  const keyParts = keys.map((key) => key.split(' '));
  const [spaceIds, commits, targetIds] = [0, 1, 2].map((part) => keyParts.map((key) => key[part]));
  const { rows } = await sql<GitBlob & { key: string }>`
    select w.space_id || ' ' || w.commit_oid || ' ' || w.target_id as key, g.oid, concat_ws('/', nullif(s.project_directory, ''), g.path) as path
    from unnest(${spaceIds}::text[], ${commits}::text[], ${targetIds}::text[]) as w(space_id, commit_oid, target_id)
    join git_sync s on s.space_id = w.space_id and s.commit_oid = w.commit_oid
    join git_file g on g.space_id = w.space_id and g.target_id = w.target_id and g.oid is not null and g.oid <> ''`.execute(
    db,
  );
  return new Map(rows.map(({ key, ...blob }) => [key, blob]));
});

/**
 * The file of a part of a revision in the commit that the revision is synchronized with, batched. Undefined if it has
 * none, if the space has been synchronized with a later commit, or if the caller has no role on the space. Revisions
 * without a commit take no statement.
 */
export const gitBlobOf = async (
  ctx: Context,
  { spaceId, git }: Pick<Row<'revision'>, 'spaceId' | 'git'>,
  targetId: string,
): Promise<GitBlob | undefined> =>
  git !== null && (await hasRoleToRead(ctx, spaceId)) ? loadBlob(ctx, `${spaceId} ${git.oid} ${targetId}`) : undefined;

/** The latest run of a space that is not standalone. */
export type GitOperation = Pick<
  Row<'git_run'>,
  'spaceId' | 'status' | 'direction' | 'createdAt' | 'completedAt' | 'reason'
>;

/** The latest import or export of a space, batched. Undefined if there is none. */
export const latestGitOperation = sharedLoader<GitOperation>('git operation', async (db, spaceIds) => {
  const { rows } = await sql<GitOperation>`
    select r.space_id, r.status, r.direction, r.created_at, r.completed_at, r.reason
    from unnest(${spaceIds}::text[]) as w(space_id)
    cross join lateral (
      select * from git_run g where g.space_id = w.space_id and not g.standalone and g.status <> 'skipped'
      order by g.created_at desc, g.id desc limit 1) r`.execute(db);
  return new Map(rows.map((row) => [row.spaceId, row]));
});
