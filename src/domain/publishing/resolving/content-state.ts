import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';

/**
 * Names the state of all that a site shows: its settings, structure, appearance, redirects and spaces, the specifications
 * that its pages are computed from, and who may read it. It differs whenever a response for a visitor may differ. In one
 * statement.
 */
export async function contentState({ db }: Pick<Context, 'db'>, siteId: string): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select md5(concat_ws(' ', av.version, si.version,
      (select string_agg(concat(l.id, l.version, s.revision_id, s.version), ' ' order by l.id)
        from site_space l join space s on s.id = l.space_id where l.site_id = si.id),
      (select concat(count(*), max(i.updated_at)) from site_item i where i.site_id = si.id),
      (select concat(count(*), max(d.updated_at)) from site_redirect d where d.site_id = si.id),
      (select concat(count(*), max(p.updated_at)) from openapi_spec p where p.organization_id = si.organization_id)
    )) as state
    from site si join access_version av on av.organization_id = si.organization_id
    where si.id = ${siteId}`.execute(db);
  return rows[0]?.state ?? '';
}
