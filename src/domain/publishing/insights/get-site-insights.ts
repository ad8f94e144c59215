import { sql } from 'kysely';
import { z } from 'zod';
import { DAY_MS } from '../../../lib/durations.ts';
import { isoDay } from '../../../lib/validation/time.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { query } from '../../../platform/operation/operation.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { readCaughtUp } from '../../../platform/reads/read-caught-up.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import type { Count } from './count-events.ts';

const needed = permissions.getSiteInsights.site;

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** Most frequent values of each kind. */
const TOP_VALUES = 100;

/** Events on a site in a range of days. */
export interface SiteInsights {
  from: string;
  to: string;
  days: { day: string; type: string; total: number }[];
  /** Most frequent first. */
  top: Count[];
}

export const getSiteInsights = query({
  name: 'getSiteInsights',
  description: `Gets the number of events of a site's visitors by day and type, and the ${TOP_VALUES} most frequent pages, referrers and searches.`,
  input: z.object({
    ...siteName,
    from: isoDay.nullish().describe(`First day, in UTC. By default, ${DEFAULT_DAYS} days up to the last day.`),
    to: isoDay.nullish().describe('Last day, in UTC. By default, today.'),
  }),
  authorize: authorizeSite(needed),
  async run(ctx, { from, to, ...name }): Promise<SiteInsights> {
    const { id } = await siteFor(ctx, name, needed);
    return insightsOf(ctx, id, from, to);
  },
});

/** Events on a site, batched. BAD_USER_INPUT for invalid days. Does not check permissions. */
export async function insightsOf(
  ctx: Context,
  siteId: string,
  from: string | null | undefined,
  to: string | null | undefined,
): Promise<SiteInsights> {
  for (const [name, value] of Object.entries({ from, to })) {
    const fault = value == null ? undefined : isoDay.safeParse(value).error?.issues[0];
    if (fault) throw badInput([name], `${fault.message}.`, 'INVALID_FORMAT');
  }
  const range = rangeOf(ctx, from, to);
  const key = `${siteId} ${range.from} ${range.to}`;
  const [days = [], top = []] = await Promise.all([eventsByDay(ctx, key), mostFrequent(ctx, key)]);
  return { ...range, days, top };
}

function rangeOf(ctx: Context, from: string | null | undefined, to: string | null | undefined) {
  const last = to ?? nowOf(ctx).slice(0, 10);
  const first = from ?? new Date(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const length = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  if (length < 1) throw badInput(['from'], '"from" must not be after "to".');
  if (length > MAX_DAYS) throw badInput(['from'], `The range must be at most ${MAX_DAYS} days.`, 'TOO_LARGE');
  return { from: first, to: last };
}

/** The sites and ranges that keys name. */
const wantedBy = (keys: readonly string[]) => {
  const parts = keys.map((key) => key.split(' '));
  const column = (index: number) => parts.map((part) => part[index] ?? '');
  return sql`unnest(${keys as string[]}::text[], ${column(0)}::text[], ${column(1)}::date[], ${column(2)}::date[])
    as w(key, site_id, first_day, last_day)`;
};

const eventsByDay = batchLoader<SiteInsights['days']>('site:insight days', (ctx, keys) =>
  readCaughtUp(ctx, (db) => readEventsByDay(db, keys)),
);

async function readEventsByDay(db: Database, keys: string[]): Promise<Map<string, SiteInsights['days']>> {
  const { rows } = await sql<SiteInsights['days'][number] & { key: string }>`
    select w.key, c.day::text as day, c.value as type, c.total
    from ${wantedBy(keys)} join site_insight c
      on c.site_id = w.site_id and c.day between w.first_day and w.last_day and c.kind = 'event'
    order by c.day, c.value`.execute(db);
  return Map.groupBy(rows, ({ key }) => key);
}

const mostFrequent = batchLoader<Count[]>('site:insight values', (ctx, keys) =>
  readCaughtUp(ctx, (db) => readMostFrequent(db, keys)),
);

async function readMostFrequent(db: Database, keys: string[]): Promise<Map<string, Count[]>> {
  const { rows } = await sql<Count & { key: string }>`
    select r.key, r.kind, r.value, r.total::int from (
      select w.key, c.kind, c.value, sum(c.total) as total,
        row_number() over (partition by w.key, c.kind order by sum(c.total) desc, c.value) as place
      from ${wantedBy(keys)} join site_insight c
        on c.site_id = w.site_id and c.day between w.first_day and w.last_day and c.kind <> 'event' and c.value <> ''
      group by w.key, c.kind, c.value) r
    where r.place <= ${sql.lit(TOP_VALUES)} order by r.place, r.kind`.execute(db);
  return Map.groupBy(rows, ({ key }) => key);
}
