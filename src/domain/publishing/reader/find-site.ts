import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { sharedRead } from '../../../platform/reads/shared-reads.ts';
import { stateOfItems, stateOfLanguages } from '../sites/index.ts';

/** A published site, as a request finds it. */
export interface FoundSite extends Pick<Row<'site'>, 'id' | 'organizationId' | 'title' | 'icon' | 'visibility'> {
  isForAgents: boolean;
  /** Version of the organization's access, for `admitVisitor`. Absent in previews. */
  accessVersion?: string;
  organizationTitle: string;
  /**
   * Identifies everything that pages are made of. That is the settings, structure and appearance of the site, the
   * content of all spaces that the organization publishes, the latest versions of its OpenAPI specifications, and which
   * of its spaces are translations.
   */
  state: string;
}

/** The name of a site in its URL: `<organization's hostname or id>/<basename or id>`. */
export interface SiteName {
  organization: string;
  basename: string;
}

const readSites = sharedRead<FoundSite>(async (db, keys) => {
  const names = keys.map((key) => key.split('/'));
  const { rows } = await sql<FoundSite & { key: string }>`
    select w.organization || '/' || w.basename as key, si.id, si.organization_id as "organizationId", si.title, si.icon, si.visibility,
      si.is_for_agents as "isForAgents", o.title as "organizationTitle", av.version as "accessVersion",
      concat_ws(' ', si.version, av.version, o.version, parts.items, parts.spaces, parts.looks, parts.specs, parts.languages) as state
    from unnest(${names.map(([organization]) => organization)}::text[], ${names.map(([, basename]) => basename)}::text[])
      as w(organization, basename)
    join organization o on o.hostname = w.organization or o.id = w.organization
    join access_version av on av.organization_id = o.id
    join site si on si.organization_id = o.id and (si.basename = w.basename or si.id = w.basename) and si.is_published
    cross join lateral (select
      ${stateOfItems} as items,
      (select coalesce(sum(hashtextextended(concat_ws(' ', l.id, l.version, s.revision_id, s.version), 0)), 0)
        from site_space l join space s on s.id = l.space_id where l.organization_id = o.id) as spaces,
      (select coalesce(sum(hashtextextended(c.target_id || c.updated_at, 0)), 0) from site_customization c where c.site_id = si.id) as looks,
      (select coalesce(sum(hashtextextended(concat_ws(' ', p.slug, p.latest_version_id, p.source_url), 0)), 0) from openapi_spec p where p.organization_id = o.id) as specs,
      ${stateOfLanguages} as languages
    ) parts
    -- A basename goes before the ID of another site.
    order by si.basename is not distinct from w.basename`.execute(db);
  return new Map(rows.map(({ key, ...site }) => [key, site]));
});

/** The published site at this address, without a check of its audience. Requests share the statement. */
export async function findSite(ctx: Context, { organization, basename }: SiteName): Promise<FoundSite | undefined> {
  if (organization.includes('/') || basename.includes('/')) return undefined;
  const key = `${organization}/${basename}`;
  return (await readSites(ctx, [key])).get(key);
}
