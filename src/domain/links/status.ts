import { type RawBuilder, sql } from 'kysely';
import { appUrl } from '../../platform/urls.ts';
import { levelOn, mayView, needs, reaches } from '../access/index.ts';
import type { Scope } from './sql.ts';

/** How often an expression is going to be asked: for a page of rows, or for all of a space. */
export type Reach = 'page' | 'space';

/**
 * The status of a reference `r` held by a location `l`, as text: decided anew at every read, so that it follows what happens
 * to the target. What the caller may not see is as good as absent, in other spaces and among collections alike.
 *
 * API specifications have no rows yet, and revisions have no tags: references to them are broken.
 */
export function statusOf(scope: Scope, reach: Reach): RawBuilder<string> {
  const { ctx } = scope;
  const seesSpace = (id: RawBuilder<unknown>) => seenSpace(scope, id, reach);
  return sql<string>`case
    when r.kind = 'url' then
      case when starts_with(concat(r.ref ->> 'url', '/'), ${`${appUrl(ctx, '')}/`}) then 'in-app' else 'ok' end
    when case r.kind
      when 'page' then ${isThere(scope, seesSpace, { table: 'head_page', column: 'page_id' })}
      when 'anchor' then ${anchorIsThere(scope, seesSpace)}
      when 'file' then ${isThere(scope, seesSpace, { table: 'head_file', column: 'file_id' })}
      when 'reusable-content' then
        ${isThere(scope, seesSpace, { table: 'head_reusable_content', column: 'reusable_content_id' })}
      when 'space' then r.target_id = l.space_id or ${seesSpace(sql`r.target_id`)}
      when 'collection' then exists (
        select from collection tc where tc.id = r.target_id and tc.organization_id = l.organization_id
          and ${reaches(levelOn.collection(ctx.actor, 'tc'), needs.getCollection.collection)} ${LOOKUP})
      when 'user' then exists (
        select from membership mu where mu.organization_id = l.organization_id and mu.user_id = r.target_id ${LOOKUP})
      else false
    end then 'ok'
    else 'broken'
  end`;
}

/**
 * Looks a row up by its key each time. Without it PostgreSQL may read the whole table into memory at once, to look there: for all
 * spaces of all organizations.
 */
const LOOKUP = sql`offset 0`;

type Sees = (id: RawBuilder<unknown>) => RawBuilder<boolean>;

/** Space for space for a page of rows; for many rows, once for all spaces of the organization. */
function seenSpace({ ctx, organizationIds }: Scope, id: RawBuilder<unknown>, reach: Reach): RawBuilder<boolean> {
  const seen = sql`ts.deleted_at is null and ${mayView(ctx.actor, 'ts')}`;
  if (reach === 'page') {
    return sql<boolean>`exists (
      select from space ts where ts.id = ${id} and ts.organization_id = l.organization_id and ${seen} ${LOOKUP})`;
  }
  return sql<boolean>`(${id}, l.organization_id) in (
    select ts.id, ts.organization_id from space ts where ts.organization_id = any(${organizationIds}::text[]) and ${seen})`;
}

const isOwn = sql<boolean>`(r.target_space_id is null or r.target_space_id = l.space_id)`;

/** A page, file or reusable content is in the version itself, or in the head of another space that the caller sees. */
function isThere(scope: Scope, sees: Sees, { table, column }: { table: string; column: string }): RawBuilder<boolean> {
  const collation = table === 'head_page' ? sql`` : sql`collate "C"`;
  const inHeadOf = (spaceId: RawBuilder<unknown>) => sql<boolean>`exists (
    select from ${sql.table(table)} x where x.space_id = ${spaceId} and x.${sql.ref(column)} = r.target_id ${collation} ${LOOKUP})`;
  return sql<boolean>`case
    when ${isOwn} then ${inVersion(scope, inHeadOf(sql`l.space_id`))}
    else ${sees(sql`r.target_space_id`)} and ${inHeadOf(sql`r.target_space_id`)}
  end`;
}

const inVersion = ({ overlays, revisionId }: Scope, inHead: RawBuilder<boolean>): RawBuilder<boolean> =>
  overlays
    ? sql<boolean>`((${revisionId}, r.target_id) in (${overlays.present})
        or ((${revisionId}, r.target_id) not in (${overlays.absent}) and ${inHead}))`
    : inHead;

function anchorIsThere({ overlays, revisionId }: Scope, sees: Sees): RawBuilder<boolean> {
  const inHeadOf = (spaceId: RawBuilder<unknown>) => sql`
    select x.document_hash from head_page x where x.space_id = ${spaceId} and x.page_id = r.target_id`;
  const inVersionOf = overlays
    ? sql`${inHeadOf(sql`l.space_id`)} and (${revisionId}, x.page_id) not in (${overlays.replaced})
        union all
        select o.document_hash from (${overlays.put}) o where o.revision_id = ${revisionId} and o.id = r.target_id`
    : inHeadOf(sql`l.space_id`);
  const among = (bodies: RawBuilder<unknown>) => sql<boolean>`exists (
    select from (${bodies}) b where ${hasAnchor(sql`b.document_hash`)} ${LOOKUP})`;
  return sql<boolean>`case
    when ${isOwn} and r.target_id is null then ${hasAnchor(sql`l.document_hash`)}
    when ${isOwn} then ${among(inVersionOf)}
    else ${sees(sql`r.target_space_id`)} and ${among(inHeadOf(sql`r.target_space_id`))}
  end`;
}

/** Headings have a row each. Tabs and expandables have anchors too, which stand in the body as `"meta":{"id":…}`. */
const hasAnchor = (hash: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from document_section a
    where a.organization_id = l.organization_id and a.document_hash = ${hash} and a.anchor = r.ref ->> 'anchor' ${LOOKUP})
  or exists (select from document a
    where a.organization_id = l.organization_id and a.hash = ${hash}
      and strpos(a.body::text, concat('"meta":{"id":', r.ref -> 'anchor', '}')) > 0 ${LOOKUP}))`;
