import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing, PARENT_ID } from '../../../platform/paging/listing.ts';
import { asc } from '../../../platform/paging/order.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import { headVersion, holderOf, type LocationKind, type VersionedLocation } from '../../content/links/index.ts';
import { type ListConditions, permissions, readInOrganizations } from '../../people/access/index.ts';
import { type SpecRow, specFor } from './access.ts';
import { specName } from './settings.ts';

/** A page or reusable content that refers to the specification, once even if it does so several times. */
interface BacklinkRow extends Record<string, unknown> {
  spaceId: string;
  id: string;
  kind: LocationKind;
  /** Key of the first block that refers to it. Null for a link in the table of contents, and for what is computed. */
  blockKey: string | null;
}

export type SpecBacklink = VersionedLocation & { spaceId: string };

const part = (index: number) => sql<string>`split_part(${PARENT_ID}, ' ', ${sql.lit(index)})`;

/** The parent is `<organization id> <slug>`. */
const backlinks = listing<object, BacklinkRow, ListConditions>({
  name: 'openApiSpec.backlinks',
  from: (_args, { conditions }) => sql`(${grouped(part(1), part(2), conditions)}) b`,
  select: sql`b.*`,
  order: [asc('spaceId', 'text', 'b.spaceId'), asc('id', 'text', 'b.id')],
  access: (ctx, keys, read) => readInOrganizations(ctx, [...new Set(keys.map((key) => key.split(' ')[0] ?? ''))], read),
});

/**
 * Checks permissions once per space, and only for spaces that refer to the specification. Spaces that the caller only
 * sees on a site are left out, as in `backlinksOf`: their pages can have conditions.
 */
const grouped = (organizationId: RawBuilder<string>, slug: RawBuilder<string>, conditions: ListConditions) => sql`
  with refs as materialized (${referencesTo(organizationId, slug)}),
  seen as materialized (
    select s.id from space s
    where s.id in (select f.space_id from refs f) and s.deleted_at is null
      and ${conditions.space('s', permissions.listPageBacklinks.space)}
  )
  select f.space_id, f.id, f.kind, (array_agg(f.block_key order by f.position))[1] as block_key
  from refs f where f.space_id in (select id from seen)
  group by f.space_id, f.id, f.kind`;

/** Every reference: from bodies, from links in tables of contents, and from sources of computed pages and contents. */
const referencesTo = (organizationId: RawBuilder<string>, slug: RawBuilder<string>) => sql`
  select h.space_id, h.page_id as id, 'page' as kind, d.position, d.block_key
  from document_reference d
  join head_page h on h.organization_id = d.organization_id and h.document_hash = d.document_hash
  where d.organization_id = ${organizationId} and d.target_id = ${slug} and d.kind = 'openapi'
  union all
  select h.space_id, h.reusable_content_id collate "default", 'reusable-content', d.position, d.block_key
  from document_reference d
  join head_reusable_content h on h.organization_id = d.organization_id and h.document_hash = d.document_hash
  where d.organization_id = ${organizationId} and d.target_id = ${slug} and d.kind = 'openapi'
  union all
  select h.space_id, h.page_id, 'page', -2, null
  from page_node n
  join head_page h on h.organization_id = n.organization_id and h.node_hash = n.hash
  where n.organization_id = ${organizationId} and n.kind = 'link' and n.fields #>> '{target,spec}' = ${slug}
    and left(coalesce(n.fields #>> '{target,page}', n.fields #>> '{target,file}'), 200) is null
  union all
  select h.space_id, h.page_id, 'page', -1, null
  from space s
  join head_page h on h.space_id = s.id and h.kind = 'computed'
  join page_node n on n.organization_id = h.organization_id and n.hash = h.node_hash
  where s.organization_id = ${organizationId} and n.fields #>> '{computed,dependencies,spec,ref,spec}' = ${slug}
  union all
  select h.space_id, h.reusable_content_id collate "default", 'reusable-content', -1, null
  from space s
  join head_reusable_content h on h.space_id = s.id and h.computed is not null
  where s.organization_id = ${organizationId} and h.computed #>> '{dependencies,spec,ref,spec}' = ${slug}`;

/** The pages and reusable contents that refer to a specification, in spaces that the caller has a role on. */
export function backlinksOfSpec(
  ctx: Context,
  { organizationId, slug }: Pick<SpecRow, 'organizationId' | 'slug'>,
): Listed<SpecBacklink> {
  const listed = backlinks(ctx, `${organizationId} ${slug}`, {});
  return {
    total: listed.total,
    async page(paging) {
      const { rows, cursorOf, ...page } = await listed.page(paging);
      // The cursor only uses columns that locations have too.
      const cursorOfLocation = cursorOf as (row: Pick<BacklinkRow, 'spaceId' | 'id'>) => string;
      const locations = rows.map(({ spaceId, id, kind, blockKey: node }) => ({
        ...holderOf(headVersion(spaceId, organizationId), { id, kind, node }),
        spaceId,
      }));
      return { ...page, rows: locations, cursorOf: cursorOfLocation };
    },
  };
}

const needed = permissions.listOpenApiSpecBacklinks.organization;

export const listOpenApiSpecBacklinks = query({
  name: 'listOpenApiSpecBacklinks',
  description:
    'Lists the pages and reusable contents that refer to an OpenAPI specification or are computed from it, in the primary ' +
    'content of every space of the organization that you have a role on. Each is listed once.',
  input: z.object(specName),
  authorize: (ctx, { organizationId = '', slug = '' }) => specFor(ctx, { organizationId, slug }, needed),
  async run(ctx, name) {
    return backlinksOfSpec(ctx, await specFor(ctx, name, needed));
  },
});
