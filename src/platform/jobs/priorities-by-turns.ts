import { sql } from 'kysely';
import type { Context } from '../context/context.ts';
import { JOBS_SCHEMA } from '../database/jobs-schema.ts';

/** Number of waiting jobs of a kind that are looked at. Beyond it, turns are approximate. */
const MAX_WAITING = 10_000;

/**
 * Priorities of new jobs of a kind by which groups take turns, given the group of each: the first job of a group comes
 * with the next jobs of the others, the second after these, and so on (start-time fair queuing). Jobs of one group keep
 * their order. 0 when no job waits, otherwise at most the highest priority of those that are due. Delayed jobs count for
 * their own group alone.
 */
export async function prioritiesByTurns(
  { db }: Context,
  jobName: string,
  groups: readonly string[],
): Promise<number[]> {
  const { rows } = await sql<{ group: string | null; first: number | null; last: number }>`
    select w.group_id as "group", max(w.priority) filter (where w.start_after <= now()) as first,
      min(w.priority) as last
    from (
      select j.group_id, j.priority, j.start_after from ${sql.table(`${JOBS_SCHEMA}.job`)} j
      where j.name = ${jobName} and j.state < 'active' and not j.blocked
      order by j.priority desc limit ${sql.lit(MAX_WAITING)}
    ) w
    group by w.group_id`.execute(db);
  const due = rows.flatMap(({ first }) => first ?? []);
  const next = due.length === 0 ? 0 : Math.max(...due);
  const lastOf = new Map(rows.map(({ group, last }) => [group, last]));
  return groups.map((group) => {
    const last = lastOf.get(group);
    const priority = last === undefined ? next : Math.min(next, last - 1);
    lastOf.set(group, priority);
    return priority;
  });
}
