import { sql } from 'kysely';
import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import { query } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import type { Count } from './count-events.ts';

const needed = permissions.getSiteInsights.site;

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** Most frequent values of each kind. */
const TOP = 100;

/** What happened on a site in a range of days. */
export interface SiteInsights {
  from: string;
  to: string;
  days: { day: string; type: string; total: number }[];
  /** Most frequent first. */
  top: Count[];
}

const day = z.iso.date('must be a day such as 2026-01-31');

export const getSiteInsights = query({
  name: 'getSiteInsights',
  description: `Gets how often visitors of a site did what, by day, and the ${TOP} most frequent pages, referrers and searches.`,
  input: z.object({
    ...siteName,
    from: day.nullish().describe(`First day, in UTC. By default, ${DEFAULT_DAYS} days up to the last day.`),
    to: day.nullish().describe('Last day, in UTC. By default, today.'),
  }),
  authorize: authorizeSite(needed),
  async run(ctx, { from, to, ...name }): Promise<SiteInsights> {
    const { id } = await siteFor(ctx, name, needed);
    const range = rangeOf(ctx, from, to);
    const [days, top] = await Promise.all([eventsByDay(ctx, id, range), mostFrequent(ctx, id, range)]);
    return { ...range, days, top };
  },
});

function rangeOf(ctx: Context, from: string | null | undefined, to: string | null | undefined) {
  const last = to ?? nowOf(ctx).slice(0, 10);
  const first = from ?? new Date(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const length = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  if (length < 1) throw badInput(['from'], '"from" must not be after "to".');
  if (length > MAX_DAYS) throw badInput(['from'], `The range must be at most ${MAX_DAYS} days.`);
  return { from: first, to: last };
}

type Range = Pick<SiteInsights, 'from' | 'to'>;

async function eventsByDay({ db }: Context, siteId: string, { from, to }: Range): Promise<SiteInsights['days']> {
  const { rows } = await sql<SiteInsights['days'][number]>`
    select c.day::text as day, c.value as type, c.total from site_insight c
    where c.site_id = ${siteId} and c.day between ${from}::date and ${to}::date and c.kind = 'event'
    order by c.day, c.value`.execute(db);
  return rows;
}

async function mostFrequent({ db }: Context, siteId: string, { from, to }: Range): Promise<Count[]> {
  const { rows } = await sql<Count>`
    select r.kind, r.value, r.total::int from (
      select c.kind, c.value, sum(c.total) as total,
        row_number() over (partition by c.kind order by sum(c.total) desc, c.value) as place
      from site_insight c
      where c.site_id = ${siteId} and c.day between ${from}::date and ${to}::date and c.kind <> 'event' and c.value <> ''
      group by c.kind, c.value) r
    where r.place <= ${sql.lit(TOP)} order by r.place, r.kind`.execute(db);
  return rows;
}
