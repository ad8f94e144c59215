import { type RawBuilder, sql } from 'kysely';
import { derivedIdOf } from '../../../platform/ids/derived-id.ts';

/**
 * Whether a page of the head of a space is computed from an OpenAPI specification of the organization. The latest
 * version must have it, and the properties of a computed page of the space must ask for it. All pages of the
 * organizations are computed once for a statement, and only if it evaluates the condition. Their ids are those that
 * `expandPages` makes.
 */
export const isComputedPage = (
  organizationIds: readonly string[],
  { spaceId, pageId }: { spaceId: RawBuilder<string>; pageId: RawBuilder<unknown> },
) => sql<boolean>`(${spaceId}, ${pageId}) in (
  select root.space_id, ${derivedIdOf('page', sql`concat(root.page_id, ' ', k.key)`)}
  from space cs
  join head_page root on root.space_id = cs.id and root.kind = 'computed'
  join page_node cn on cn.organization_id = root.organization_id and cn.hash = root.node_hash
  join openapi_spec os on os.organization_id = root.organization_id
    and os.slug = cn.fields #>> '{computed,dependencies,spec,ref,spec}'
  join openapi_spec_version v on v.id = os.latest_version_id
  cross join lateral unnest(v.page_keys) as k(key)
  where cs.organization_id = any(${[...organizationIds]}::text[]) and cs.deleted_at is null
    and cn.fields #>> '{computed,type}' = 'builtin:openapi'
    and case split_part(k.key, ' ', 1)
      when 'operation' then cn.fields #>> '{computed,props,grouping}' = 'by-operation'
      when 'models' then (cn.fields #> '{computed,props,models}')::text = 'true'
      when 'changelog' then (cn.fields #> '{computed,props,changelog}')::text = 'true'
      else true
    end)`;
