import { type RawBuilder, sql } from 'kysely';
import { onlySpacesOf } from '../../../platform/access/actor.ts';
import { appUrl } from '../../../platform/resource/urls.ts';
import { permissions } from '../../people/access/index.ts';
import { hasAnchor, hasHost, OPTIMIZATION_FENCE } from '../../store/link-counts/index.ts';
import { isComputedPage } from './computed-pages.ts';
import type { LinkSqlContext } from './sql.ts';

/** Number of rows that an expression is evaluated for: one page of rows, or all of a space. */
export type Reach = 'page' | 'space';

/**
 * The status of a reference `r` in a location `l`, as text. It is computed at every read, so it is always up to date.
 * Targets that the caller cannot see count as broken. Of a space that the caller sees without a role, as a reader of
 * its site, everything counts as present: conditions can hide parts of it, and a status must not tell which exist.
 */
export function statusOf(scope: LinkSqlContext, reach: Reach): RawBuilder<string> {
  const { ctx, conditions } = scope;
  // Members and specifications are of the organization, which applications that are limited to spaces do not see.
  const seesOrganization = sql.lit(onlySpacesOf(ctx.actor) === undefined);
  return sql<string>`case
    when r.kind = 'url' then
      case
        when starts_with(concat(r.ref ->> 'url', '/'), ${`${appUrl(ctx, '')}/`}) then 'in-app'
        when ${hasHost} then 'ok'
        else 'broken'
      end
    when r.kind in ('page', 'anchor', 'file', 'reusable-content', 'space') and ${inSpace} is distinct from l.space_id
      and not coalesce(${isSeen(scope, inSpace, reach, conditions.view('ts'))}, false) then 'broken'
    when r.kind in ('page', 'anchor', 'file', 'reusable-content') and ${inSpace} <> l.space_id
      and not coalesce(${isSeen(scope, inSpace, reach, conditions.space('ts', 'read'))}, false) then 'ok'
    when case r.kind
      when 'page' then ${isThere(scope, { table: 'head_page', column: 'pageId' })} or ${isComputed(scope)}
      when 'anchor' then ${anchorIsThere(scope)}
      when 'file' then ${isThere(scope, { table: 'head_file', column: 'fileId' })}
      when 'reusable-content' then ${isThere(scope, { table: 'head_reusable_content', column: 'reusableContentId' })}
      when 'space' then true
      when 'collection' then exists (
        select from collection tc where tc.id = r.target_id and tc.organization_id = l.organization_id
          and ${conditions.collection('tc', permissions.getCollection.collection)} ${OPTIMIZATION_FENCE})
      when 'openapi' then ${seesOrganization} and exists (
        select from openapi_spec os where os.organization_id = l.organization_id and os.slug = r.target_id
          and (r.ref ->> 'operation' is null or os.latest_version_id is null or ${hasOperation}) ${OPTIMIZATION_FENCE})
      when 'user' then ${seesOrganization} and exists (
        select from membership mu where mu.organization_id = l.organization_id and mu.user_id = r.target_id ${OPTIMIZATION_FENCE})
      else false
    end then 'ok'
    else 'broken'
  end`;
}

/** Whether the latest version of the specification `os` has the operation that a block shows. */
const hasOperation = sql<boolean>`exists (
  select from openapi_operation oo where oo.version_id = os.latest_version_id
    and md5(oo.kind || ' ' || oo.method || ' ' || oo.path) = md5(r.ref ->> 'operation') ${OPTIMIZATION_FENCE})`;

/** The space of the target: explicit in the reference, or the space of the location. */
const inSpace = sql<string>`case r.kind when 'space' then r.target_id else coalesce(r.target_space_id, l.space_id) end`;

/**
 * Whether a space is allowed by a condition on `ts`. Checked row by row for a page of rows; for many rows, once for all
 * spaces of the organization.
 */
function isSeen(
  { organizationIds }: LinkSqlContext,
  id: RawBuilder<string>,
  reach: Reach,
  isAllowed: RawBuilder<boolean>,
): RawBuilder<boolean> {
  const seen = sql`ts.deleted_at is null and ${isAllowed}`;
  if (reach === 'page') {
    return sql<boolean>`exists (
      select from space ts where ts.id = ${id} and ts.organization_id = l.organization_id and ${seen} ${OPTIMIZATION_FENCE})`;
  }
  return sql<boolean>`(${id}, l.organization_id) in (
    select ts.id, ts.organization_id from space ts where ts.organization_id = any(${organizationIds}::text[]) and ${seen})`;
}

/** Whether a page, file or reusable content exists in the version itself, or in the head of the other space. */
function isThere(
  { overlays, revisionId }: LinkSqlContext,
  { table, column }: { table: string; column: string },
): RawBuilder<boolean> {
  const collation = table === 'head_page' ? sql`` : sql`collate "C"`;
  const inHead = sql<boolean>`exists (
    select from ${sql.table(table)} x
    where x.space_id = ${inSpace} and x.${sql.ref(column)} = r.target_id ${collation} ${OPTIMIZATION_FENCE})`;
  if (!overlays) return inHead;
  return sql<boolean>`case
    when ${inSpace} <> l.space_id then ${inHead}
    else (${revisionId}, r.target_id) in (${overlays.present})
      or ((${revisionId}, r.target_id) not in (${overlays.absent}) and ${inHead})
  end`;
}

/** Whether the page is computed in the version itself, or in the head of the other space. */
function isComputed({ overlays, revisionId, organizationIds }: LinkSqlContext): RawBuilder<boolean> {
  const inHead = isComputedPage(organizationIds, { spaceId: inSpace, pageId: sql`r.target_id` });
  if (!overlays) return inHead;
  return sql<boolean>`case
    when ${inSpace} <> l.space_id then ${inHead}
    else (${revisionId}, r.target_id) in (${overlays.computed})
      or ((${revisionId}, r.target_id) not in (${overlays.goneComputed}) and ${inHead})
  end`;
}

/**
 * Whether the page has the anchor. A reference without a page means the location of the reference. Bodies of computed
 * pages are not stored, so that all of their anchors count as present.
 */
function anchorIsThere(scope: LinkSqlContext): RawBuilder<boolean> {
  const { overlays, revisionId } = scope;
  const inHead = sql`
    select x.document_hash from head_page x where x.space_id = ${inSpace} and x.page_id = r.target_id`;
  const bodies = overlays
    ? sql`${inHead} and (${inSpace} <> l.space_id or (${revisionId}, x.page_id) not in (${overlays.replaced}))
        union all
        select o.document_hash from (${overlays.put}) o
        where ${inSpace} = l.space_id and o.revision_id = ${revisionId} and o.id = r.target_id`
    : inHead;
  return sql<boolean>`case
    when r.target_id is null and ${inSpace} = l.space_id then ${hasAnchor(sql`l.document_hash`)}
    else exists (select from (${bodies}) b where ${hasAnchor(sql`b.document_hash`)} ${OPTIMIZATION_FENCE})
      or r.target_id is not null and ${isComputed(scope)}
  end`;
}
