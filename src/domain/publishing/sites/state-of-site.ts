import { sql } from 'kysely';

// Sums count every row. The latest time of all rows would miss a change whose transaction ends after one that began
// later.

/** The state of the structure of the site `si`, in SQL. */
export const stateOfItems = sql`
  (select coalesce(sum(hashtextextended(i.id || ':' || i.version, 0)), 0) from site_item i where i.site_id = si.id)`;

/** Which spaces of the organization of the site `si` are translations, in SQL. */
export const stateOfLanguages = sql`
  (select coalesce(sum(hashtextextended(t.id || ':' || (t.result_revision_id is null), 0)), 0)
    from translation t where t.organization_id = si.organization_id)`;
