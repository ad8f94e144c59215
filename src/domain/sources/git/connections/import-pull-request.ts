import { type Context, nowOf } from '../../../../platform/context/context.ts';
import type { GitConnectionRow } from './access.ts';
import { startRun } from './start-run.ts';

/** Pull requests that wait to be imported. Further ones are left out until they are pushed to again. */
const MAX_WAITING = 10;

/**
 * Imports the commits of a pull request to the branch as a revision that is not the primary content. A run that waits
 * for earlier commits of it is cancelled; commits that were imported are not imported again.
 */
export async function importPullRequest(
  inside: Context,
  row: GitConnectionRow,
  { number, ref, base, commit }: { number: number; ref: string; base: string; commit: string },
): Promise<void> {
  if (base !== row.ref || !row.importsPullRequests || row.isPaused || row.state === 'pending') return;
  const { db } = inside;
  const existingRun = await db
    .selectFrom('git_run')
    .where('spaceId', '=', row.spaceId)
    .where('pullNumber', '=', number)
    .where('commitOid', '=', commit)
    .where('status', 'in', ['pending', 'in-progress', 'completed'])
    .select('id')
    .executeTakeFirst();
  if (existingRun) return;
  const now = nowOf(inside);
  await db
    .updateTable('git_run')
    .set({ status: 'cancelled', updatedAt: now, completedAt: now, credentials: null })
    .where('spaceId', '=', row.spaceId)
    .where('pullNumber', '=', number)
    .where('status', '=', 'pending')
    .execute();
  const waiting = await db
    .selectFrom('git_run')
    .where('spaceId', '=', row.spaceId)
    .where('status', 'in', ['pending', 'in-progress'])
    .select('id')
    .limit(MAX_WAITING)
    .execute();
  if (waiting.length === MAX_WAITING) return;
  await startRun(inside, row, { direction: 'import', standalone: true, ref, pullNumber: number, commitOid: commit });
}
