import { type RawBuilder, sql } from 'kysely';

/**
 * Forces a lookup by key for each row. Without it PostgreSQL can choose a hash join, which reads the whole table, with all
 * spaces of all organizations.
 */
export const LOOKUP = sql`offset 0`;

/**
 * Whether the body with this hash, in the organization of the location `l`, has the anchor of the reference `r`. Headings
 * have a row each. Anchors of tabs and expandables are only in the body, as `"meta":{"id":…}`.
 */
export const hasAnchor = (hash: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from document_section a
    where a.organization_id = l.organization_id and a.document_hash = ${hash} and a.anchor = r.ref ->> 'anchor' ${LOOKUP})
  or exists (select from document a
    where a.organization_id = l.organization_id and a.hash = ${hash}
      and strpos(a.body::text, concat('"meta":{"id":', r.ref -> 'anchor', '}')) > 0 ${LOOKUP}))`;
