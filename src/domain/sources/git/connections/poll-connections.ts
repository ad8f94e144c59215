import { sql } from 'kysely';
import { z } from 'zod';
import { nowOf } from '../../../../platform/context/context.ts';
import { defineJob } from '../../../../platform/jobs/job.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { isRequestable, requestSync } from './request-sync.ts';

/** Connections of one poll. The next minute takes the others. */
const CONNECTIONS_PER_POLL = 500;

/** After failures in a row, the time between polls doubles up to this many times. */
const MAX_DOUBLINGS = 6;

/**
 * Requests the synchronization of connections whose branch has not been looked at for a while. Those that already wait for it do not
 * keep others from being polled.
 */
export const pollGitConnections = defineJob(
  'poll-git-connections',
  z.object({}),
  async (ctx) => {
    const seconds = ctx.services.config.gitPollSeconds;
    if (seconds === 0) return;
    await transact(ctx, async (inside) => {
      const { rows } = await sql<{ id: string }>`
        select c.id from git_connection c join space s on s.id = c.space_id
        where not c.is_paused and c.state <> 'pending' and s.deleted_at is null and ${isRequestable(inside, 'c')}
          and coalesce(c.polled_at, 'epoch') <= ${nowOf(inside)}::timestamptz
            - make_interval(secs => ${seconds} * power(2, least(c.failure_streak, ${MAX_DOUBLINGS})))
        order by greatest(c.polled_at, c.wanted_at) nulls first, c.id limit ${CONNECTIONS_PER_POLL}`.execute(inside.db);
      await requestSync(
        inside,
        rows.map(({ id }) => id),
      );
    });
  },
  { cron: '* * * * *' },
);
