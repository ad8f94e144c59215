import { sql } from 'kysely';
import type { KeptConfiguration } from '../../../../lib/repository/configuration.ts';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { jsonColumn } from '../../../../platform/database/json-column.ts';
import type { GitSyncRow } from '../../../store/git-sync/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import type { GitRunRow } from '../access.ts';
import type { PathEntry } from '../compose/path-entries.ts';
import { branchOf } from '../record-sync-request.ts';
import type { RemoteFile } from '../transport/remote.ts';
import { sketchBytes } from './synced-paths.ts';

/** State of branch and space at the last synchronization. */
export interface SyncState {
  sync: GitSyncRow & { commitOid: string };
  base: RevisionRow;
  branch: RevisionRow;
}

/** The state of a space's synchronization. Undefined before the first one. */
export async function loadState({ db }: Context, spaceId: string): Promise<SyncState | undefined> {
  const sync = await db.selectFrom('git_sync').where('spaceId', '=', spaceId).selectAll().executeTakeFirst();
  const { commitOid, conflictChangeRequestId: id = null, baseRevisionId, branchRevisionId } = sync ?? {};
  if (!sync || commitOid == null || baseRevisionId == null || branchRevisionId == null) return undefined;
  const [base, branch] = [await loadRow(db, baseRevisionId), await loadRow(db, branchRevisionId)];
  if (id === null) return { sync: { ...sync, commitOid }, base, branch };
  const changeRequest = await db.selectFrom('change_request').where('id', '=', id).select('status').executeTakeFirst();
  // Once the conflicts are settled, the space has decided on the content of the branch.
  const isSettled = changeRequest?.status !== 'open' && changeRequest?.status !== 'draft';
  return isSettled
    ? { sync: { ...sync, commitOid, conflictChangeRequestId: null }, base: branch, branch }
    : { sync: { ...sync, commitOid }, base, branch };
}

/** The settings of `.gitbook.yaml` that a branch had when they could last be read. */
export const configurationOf = (state: SyncState | undefined): KeptConfiguration | undefined =>
  state?.sync.configuration ?? undefined;

/** A revision by id, without a permission check. */
export const loadRow = (db: Context['db'], id: string): Promise<RevisionRow> =>
  db.selectFrom('revision').where('id', '=', id).selectAll().executeTakeFirstOrThrow();

/** The head of a space, without a permission check. */
export const loadHead = (db: Context['db'], spaceId: string): Promise<RevisionRow> =>
  db
    .selectFrom('space as s')
    .innerJoin('revision as r', 'r.id', 's.revisionId')
    .where('s.id', '=', spaceId)
    .selectAll('r')
    .executeTakeFirstOrThrow();

/** State to store after a synchronization. */
export interface NewState {
  commitOid: string;
  baseRevisionId: string;
  branchRevisionId: string;
  conflictChangeRequestId: string | null;
  conflictKeys: string[];
  /** The settings of `.gitbook.yaml` to use if it cannot be read later on. */
  configuration?: KeptConfiguration | undefined;
  paths: PathRow[];
}

/** A path of the branch with the file that it has. */
export interface PathRow extends PathEntry {
  oid: string | null;
  /** In base64. */
  sketch: string | null;
}

/** The paths of a branch with their files. Paths whose file is missing are left out. */
export function pathRows(entries: readonly PathEntry[], files: readonly Omit<RemoteFile, 'size'>[]): PathRow[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return entries.flatMap((entry) => {
    const file = byPath.get(entry.path);
    if (!file && !entry.path.startsWith('//')) return [];
    return [{ ...entry, oid: file?.oid ?? null, sketch: sketchBytes(file?.sketch)?.toString('base64') ?? null }];
  });
}

/** Writes the state, in the transaction that ends a run or moves the head. */
export async function saveState(ctx: Context, run: GitRunRow, state: NewState): Promise<void> {
  const { spaceId, organizationId } = run;
  const { paths, conflictKeys, configuration, ...columns } = state;
  const values = {
    ...columns,
    conflictKeys: jsonColumn(conflictKeys),
    configuration: jsonColumn(configuration),
    organizationId,
    ...branchOf(run),
    updatedAt: nowOf(ctx),
  } as const;
  await ctx.db
    .insertInto('git_sync')
    .values({ spaceId, ...values })
    .onConflict((conflict) => conflict.column('spaceId').doUpdateSet(values))
    .execute();
  await ctx.db.deleteFrom('git_file').where('spaceId', '=', spaceId).execute();
  await sql`
    insert into git_file (space_id, path, organization_id, kind, target_id, oid, sketch)
    select ${spaceId}, p.path, ${organizationId}, p.kind, p.id, p.oid, decode(p.sketch, 'base64')
    from json_to_recordset(${JSON.stringify(paths)}::json) as p(path text, kind text, id text, oid text, sketch text)`.execute(
    ctx.db,
  );
}

/** Writes other conflicts than the stored ones, with the base of the next merge, while the branch stays as it is. */
export async function saveConflicts(
  ctx: Context,
  { spaceId }: GitRunRow,
  {
    seen,
    conflictChangeRequestId,
    conflictKeys,
  }: { seen: RevisionRow; conflictChangeRequestId: string | null; conflictKeys: string[] },
): Promise<void> {
  await ctx.db
    .updateTable('git_sync')
    .set({
      baseRevisionId: seen.id,
      conflictChangeRequestId,
      conflictKeys: jsonColumn(conflictKeys),
      updatedAt: nowOf(ctx),
    })
    .where('spaceId', '=', spaceId)
    .where('conflictChangeRequestId', 'is distinct from', conflictChangeRequestId)
    .execute();
}
