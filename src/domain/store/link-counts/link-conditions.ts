import { type RawBuilder, sql } from 'kysely';

/**
 * Forces a lookup by key for each row. Without the fence, PostgreSQL may hash-join the whole table, with all spaces of
 * all organizations.
 */
export const OPTIMIZATION_FENCE = sql`offset 0`;

/** Whether the URL of a reference `r` has a scheme or a host. Relative ones stay URLs only if they have no target. */
export const hasHost = sql<boolean>`(r.ref ->> 'url') ~* '^([a-z][a-z0-9+.-]*:|//)'`;

/**
 * Whether the body with this hash, in the organization of the location `l`, has the anchor of the reference `r`. A
 * document knows all its anchors, those of earlier rules included. In documents that were stored before that and are
 * not derived again yet, headings have a section each, and other anchors are only in the body.
 */
export const hasAnchor = (hash: RawBuilder<unknown>) => sql<boolean>`exists (
  select from document a
  where a.organization_id = l.organization_id and a.hash = ${hash}
    and (r.ref ->> 'anchor' = any(a.anchors)
      or a.derived_version = 0 and (
        exists (select from document_section s
          where s.organization_id = a.organization_id and s.document_hash = a.hash and s.anchor = r.ref ->> 'anchor')
        or strpos(a.body::text, concat('"meta":{"id":', r.ref -> 'anchor', '}')) > 0)) ${OPTIMIZATION_FENCE})`;
