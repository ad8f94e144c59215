import { sql } from 'kysely';
import type { Context } from '../../../../platform/context/context.ts';
import { anyOf } from '../../../../platform/database/conditions.ts';
import type { EventConsumer } from '../../../../platform/events/event-consumer.ts';
import { enqueueAll } from '../../../../platform/jobs/enqueue.ts';
import { postGitStatus } from './post-git-status.ts';
import { requestSync } from './request-sync.ts';

/** Delay in seconds, so that edits that follow each other become one commit. */
const DELAY_SECONDS = 2;

/** Events after which a space may have content that its branch does not have. */
const MOVES: ReadonlySet<string> = new Set([
  'space_content_updated',
  'change_request_merged',
  'change_request_updated',
]);

const ENDS: ReadonlySet<string> = new Set(['space_gitsync_completed', 'space_gitsync_failed']);

/**
 * Requests the synchronization of connected spaces whose content changed, whose conflicts may be settled, and of those
 * with a completed run, during which more may have come.
 */
export const followSpaces: EventConsumer = {
  name: 'git-connections',
  begins: 'registration',
  async take(ctx, events) {
    const moved = events.flatMap(({ kind, spaceId }) => (MOVES.has(kind) && spaceId !== null ? [spaceId] : []));
    const ended = events.flatMap(({ kind, ids: { gitRunId } }) =>
      ENDS.has(kind) && gitRunId !== undefined ? [gitRunId] : [],
    );
    if (moved.length === 0 && ended.length === 0) return;
    const { rows } = await sql<{ id: string }>`
      select c.id from git_connection c join space s on s.id = c.space_id
      where c.space_id = any(${moved}::text[]) and s.deleted_at is null
        and (s.revision_id is distinct from c.synced_revision_id or c.state = 'conflicts')
      union
      select r.connection_id from git_run r
      where r.id = any(${ended}::text[]) and r.connection_id is not null and r.status = 'completed' and not r.standalone`.execute(
      ctx.db,
    );
    await requestSync(
      ctx,
      rows.map(({ id }) => id),
      DELAY_SECONDS,
    );
    await postStatuses(ctx, ended);
  },
};

/** Enqueues the commit statuses of pull requests whose import has ended. */
async function postStatuses(ctx: Context, gitRunIds: readonly string[]): Promise<void> {
  if (gitRunIds.length === 0) return;
  const runs = await ctx.db
    .selectFrom('git_run')
    .where('id', '=', anyOf([...gitRunIds]))
    .where('pullNumber', 'is not', null)
    .select(['id', 'organizationId'])
    .execute();
  const jobs = runs.map(({ id, organizationId }) => ({ data: { gitRunId: id }, group: organizationId }));
  await enqueueAll(ctx, postGitStatus, jobs);
}
