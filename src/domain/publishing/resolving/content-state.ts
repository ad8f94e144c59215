import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { stateOfItems, stateOfLanguages } from '../sites/index.ts';

/**
 * Names the state of all that a site shows: its settings, structure, appearance, redirects and spaces, the title and
 * hostname of its organization, the specifications and translations that its pages are computed from, and who may read
 * it. It differs whenever a response for a visitor may differ. In one statement.
 */
export async function contentState({ db }: Pick<Context, 'db'>, siteId: string): Promise<string> {
  // Responses have settings and states of specifications too, so the time of their last change counts.
  const { rows } = await sql<{ state: string }>`
    select md5(concat_ws(' ', av.version, o.version, si.version,
      (select string_agg(concat(l.id, l.version, s.revision_id, s.version), ' ' order by l.id)
        from site_space l join space s on s.id = l.space_id where l.site_id = si.id),
      ${stateOfItems},
      (select coalesce(sum(hashtextextended(d.id || ':' || d.version, 0)), 0) from site_redirect d where d.site_id = si.id),
      (select coalesce(sum(hashtextextended(concat_ws(' ', p.id, p.latest_version_id, p.updated_at), 0)), 0)
        from openapi_spec p where p.organization_id = si.organization_id),
      ${stateOfLanguages}
    )) as state
    from site si
    join organization o on o.id = si.organization_id
    join access_version av on av.organization_id = si.organization_id
    where si.id = ${siteId}`.execute(db);
  return rows[0]?.state ?? '';
}
