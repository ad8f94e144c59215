import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Count } from './count-events.ts';

/** Values of one kind that are counted apart on one day. */
const MAX_VALUES = 1_000;

/**
 * Adds to the counters of today in one statement. Values beyond the limit of a kind share the counter of the empty
 * value.
 */
export async function addCounts(
  { db, services }: Pick<Context, 'db' | 'services'>,
  { siteId, organizationId }: { siteId: string; organizationId: string },
  counts: readonly Count[],
): Promise<void> {
  const day = services.clock().toISOString().slice(0, 10);
  await sql`
    insert into site_insight (site_id, day, kind, value, organization_id, total)
    select ${siteId}, ${day}::date, n.kind, n.value, ${organizationId}, sum(n.total)
    from (
      select g.kind, g.total, case when stored.value is not null
        or (select count(*) from site_insight c where c.site_id = ${siteId} and c.day = ${day}::date and c.kind = g.kind)
          + row_number() over (partition by g.kind, stored.value is null order by g.value) <= ${sql.lit(MAX_VALUES)}
        then g.value else '' end as value
      from json_to_recordset(${JSON.stringify(counts)}::json) as g(kind text, value text, total int)
      left join site_insight stored
        on stored.site_id = ${siteId} and stored.day = ${day}::date and stored.kind = g.kind and stored.value = g.value
    ) n
    group by n.kind, n.value order by n.kind, n.value
    on conflict (site_id, day, kind, value) do update set total = site_insight.total + excluded.total`.execute(db);
}
