import { type RawBuilder, sql } from 'kysely';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import { authorize, notVisibleError, permissions, rowsInSpaces } from '../../people/access/index.ts';

/** A run without its report, log and preview, which are loaded separately, and without credentials. */
export type GitRunRow = Omit<Row<'git_run'>, 'report' | 'log' | 'credentials' | 'pushing' | 'preview'>;

export const GIT_RUN_COLUMNS = [
  'id',
  'organizationId',
  'spaceId',
  'direction',
  'status',
  'repositoryUrl',
  'ref',
  'projectDirectory',
  'treeUrl',
  'commitUrl',
  'commitMessage',
  'provider',
  'infoUrl',
  'force',
  'standalone',
  'operationAt',
  'reason',
  'createdBy',
  'samlProviderId',
  'createdAt',
  'updatedAt',
  'startedAt',
  'completedAt',
  'attempt',
  'filesRead',
  'pagesRead',
  'filesChanged',
  'keptCount',
  'changedCount',
  'droppedCount',
  'revisionId',
  'commitOid',
  'changeRequestId',
  'connectionId',
  'isDryRun',
  'pullNumber',
] as const satisfies (keyof GitRunRow)[];

const COLUMNS = sql.join(GIT_RUN_COLUMNS.map((column) => sql.ref(`gr.${column}`)));

/**
 * Loads a run for a caller with at least `role` on its space. NOT_FOUND if it is absent or the caller's role does not
 * show runs, FORBIDDEN if only the caller's role is too low, or without the SSO that the organization requires.
 */
export async function gitRunFor(
  ctx: Context,
  { gitRunId, spaceId }: { gitRunId: string; spaceId?: string | null | undefined },
  role: Role,
): Promise<GitRunRow> {
  const within = spaceId == null ? sql`true` : sql`gr.space_id = ${spaceId}`;
  const [run] = await runs(ctx, sql`gr.id = ${gitRunId} and ${within}`);
  const isShown = run?.needsSso || atLeast(run?.role, permissions.getGitRun.space);
  if (!run || !isShown) throw notVisibleError(ctx, 'Git run', gitRunId);
  return authorize(ctx, run, { what: 'Git run', id: gitRunId }, role);
}

/** Loads runs by id, batched. Runs in spaces that the caller cannot read are left out. */
export const loadGitRun = rowLoader<GitRunRow>('git run', async (ctx, ids) => {
  const rows = await runs(ctx, sql`gr.id = any(${ids}::text[])`);
  return rows.filter(({ role }) => atLeast(role, permissions.getGitRun.space));
});

const runs = (ctx: Context, where: RawBuilder<unknown>) =>
  rowsInSpaces<GitRunRow>(ctx, { select: COLUMNS, from: sql`git_run gr`, row: 'gr', where });

type Reported = { id: string } & Pick<Row<'git_run'>, 'report' | 'log' | 'preview'>;

/** Loads reports, logs and previews, batched and without a permission check: the caller has loaded the run before. */
export const loadGitReport = rowLoader<Reported>('git report', ({ db }, ids) =>
  db.selectFrom('git_run').where('id', '=', anyOf(ids)).select(['id', 'report', 'log', 'preview']).execute(),
);
