import { type RawBuilder, sql } from 'kysely';
import { type Actor, ssoOf, visitsOf } from '../../../../platform/access/actor.ts';
import type { Role } from '../../../../platform/access/roles.ts';
import { countsWith, isEnabled, reachesOrganization, signInSuffices } from './acting-member.ts';
import { limitedRoleSql } from './space-limit.ts';

/**
 * The caller's role on a resource as one SQL expression, for loading rows, filtering lists and counts, and computing
 * `permissions` fields. `row` is the alias of the table in the surrounding statement.
 *
 * Admins of the organization are admins of everything. Non-members, disabled members and callers who have not signed in
 * as the organization requires have no role. What an identity provider gave, a role or a membership of a team, counts
 * for callers who signed in with it. For others, the first level that defines a role decides, from the resource
 * outwards: the highest grant to the user or their teams, else the default level (not for guests). If no level does,
 * the role in the organization applies. Applications that are limited to spaces have these roles only on the spaces.
 */
export const roleSql = {
  space: (actor: Actor, row: string) => ofActor(actor, 'space', row),
  collection: (actor: Actor, row: string) => ofActor(actor, 'collection', row),
  site: (actor: Actor, row: string) => ofActor(actor, 'site', row),
};

/**
 * The same as if the caller had signed in as the organization requires. The caller must still reach the organization.
 */
export const roleSqlIfSignedIn = {
  space: (actor: Actor, row: string) => ofActor(actor, 'space', row, andReached(actor)),
  collection: (actor: Actor, row: string) => ofActor(actor, 'collection', row, andReached(actor)),
  site: (actor: Actor, row: string) => ofActor(actor, 'site', row, andReached(actor)),
};

function andReached(actor: Actor): RawBuilder<unknown> {
  const isReached = reachesOrganization(actor, 'm.organization_id');
  return isReached ? sql` and ${isReached}` : sql``;
}

/** The same for the user that an expression gives, with all that the identity providers of the organization gave. */
export const roleOfUser = {
  space: (userId: RawBuilder<unknown>, row: string) => walk(userId, row, STEPS.space),
  collection: (userId: RawBuilder<unknown>, row: string) => walk(userId, row, STEPS.collection),
  site: (userId: RawBuilder<unknown>, row: string) => walk(userId, row, STEPS.site),
};

export type RoleTarget = keyof typeof roleSql;

/** The condition that a role is `minimum` or higher. */
export const reaches = (role: RawBuilder<Role | null>, minimum: Role) =>
  sql<boolean>`coalesce(${role}, 'none') >= ${sql.lit(minimum)}`;

/** The condition that the caller can read a space, through a role or on a published site. */
export const mayView = (actor: Actor, row: string) => readsOr(actor, row, isShownSql(actor, row));

/** The condition that lists show the caller a space, through a role or because of a published site. */
export const mayList = (actor: Actor, row: string) => readsOr(actor, row, isListedSql(actor, row));

const readsOr = (actor: Actor, row: string, visible: RawBuilder<boolean>) =>
  actor.kind === 'user' ? sql<boolean>`(${reaches(roleSql.space(actor, row), 'read')} or ${visible})` : visible;

/** Whether a row of `site_space` has a condition, or is in a section with one. Text without parameters. */
export const hasCondition = (row: string) => `(${row}.condition is not null or exists (
  select from site_item sc where sc.id = ${row}.section_id and sc.condition is not null))`;

/**
 * The condition that a published or previewed site shows the space to the caller: one that has admitted the caller, or
 * one that is open to everyone. Content with a condition is only shown on visits, whose claims are known. Visitors see
 * nothing but what their visits show.
 */
export const isShownSql = (actor: Actor, row: string): RawBuilder<boolean> =>
  isShownIf(actor, row, "si.visibility in ('public', 'unlisted')");

/**
 * The condition that lists, searches and counts include the space because a published site shows it: `isShownSql`
 * without unlisted sites, whose spaces can be read by those who name them.
 */
export const isListedSql = (actor: Actor, row: string): RawBuilder<boolean> =>
  isShownIf(actor, row, "si.visibility = 'public'");

function isShownIf(actor: Actor, row: string, isForAll: string): RawBuilder<boolean> {
  rejectTaken(row);
  const id = sql.ref(`${row}.id`);
  const byVisit = visitsOf(actor).map(
    ({ siteId, spaceIds, isPreview = false }) =>
      sql<boolean>`(si.id = ${siteId} and ${id} = any(${[...spaceIds]}::text[]) and (si.is_published or ${sql.lit(isPreview)}))`,
  );
  const open = sql<boolean>`(si.is_published and ${sql.raw(isForAll)} and not ${sql.raw(hasCondition('ss'))})`;
  const conditions = actor.kind === 'visitor' ? byVisit : [open, ...byVisit];
  if (conditions.length === 0) return sql<boolean>`false`;
  return sql<boolean>`exists (
    select from site_space ss join site si on si.id = ss.site_id
    where ss.space_id = ${id} and si.organization_id = ${sql.ref(`${row}.organization_id`)}
      and (${sql.join(conditions, sql` or `)}))`;
}

/**
 * The condition that a published site shows the caller, who need have no role on the space, this place of it: a row `ss`
 * of `site_space` on the site `si`. Of several places of a space, some can have conditions that the caller does not meet.
 */
export const isPlaceShownSql = (actor: Actor): RawBuilder<boolean> => {
  const byVisit = visitsOf(actor).map(({ siteId, hiddenIds }) => {
    const hidden = [...hiddenIds];
    return sql<boolean>`(si.id = ${siteId} and ss.id <> all(${hidden}::text[])
      and coalesce(ss.section_id, '') <> all(${hidden}::text[]))`;
  });
  const open = sql<boolean>`(si.visibility in ('public', 'unlisted') and not ${sql.raw(hasCondition('ss'))})`;
  const conditions = actor.kind === 'visitor' ? byVisit : [open, ...byVisit];
  return conditions.length === 0
    ? sql<boolean>`false`
    : sql<boolean>`(si.is_published and (${sql.join(conditions, sql` or `)}))`;
};

/** The condition that a site that shows the caller the space has conditions in its structure. */
export const isOnConditionalSiteSql = (actor: Actor, row: string): RawBuilder<boolean> => {
  const id = sql.ref(`${row}.id`);
  const visited = visitsOf(actor).map(({ siteId, spaceIds }) => sql`(${siteId}, ${[...spaceIds]}::text[])`);
  const onVisits =
    visited.length === 0
      ? sql`select null::text as site_id where false`
      : sql`select v.site_id from (values ${sql.join(visited)}) as v(site_id, space_ids) where ${id} = any(v.space_ids)`;
  return sql<boolean>`exists (
    select from site_space sa join site_space sb on sb.site_id = sa.site_id and ${sql.raw(hasCondition('sb'))}
    where sa.space_id = ${id} and case
      when exists (${onVisits}) then sa.site_id in (${onVisits})
      else not ${sql.raw(hasCondition('sa'))}
    end)`;
};

/** The condition that a site is published for the caller, or previewed. */
export const isSiteShownSql = (actor: Actor, row: string): RawBuilder<boolean> => {
  rejectTaken(row);
  const visits = visitsOf(actor);
  const [visited, previewed] = [visits, visits.filter(({ isPreview }) => isPreview)].map((some) =>
    some.map(({ siteId }) => siteId),
  ) as [string[], string[]];
  const isOpen = actor.kind === 'visitor' ? sql`false` : sql`${sql.ref(`${row}.visibility`)} in ('public', 'unlisted')`;
  const byVisit = visited.length === 0 ? sql`` : sql`or ${sql.ref(`${row}.id`)} = any(${visited}::text[])`;
  const byPreview = previewed.length === 0 ? sql`` : sql`or ${sql.ref(`${row}.id`)} = any(${previewed}::text[])`;
  return sql<boolean>`((${sql.ref(`${row}.is_published`)} and (${isOpen} ${byVisit})) ${byPreview})`;
};

/**
 * SQL of the role that one level defines, or null, using the row and the caller's membership `m`. It is text without
 * parameters, since building it from fragments for each statement took a sixth of the time of a small request.
 */
type Step = (row: string) => string;

function ofActor(
  actor: Actor,
  kind: RoleTarget,
  row: string,
  condition = sql` and ${signInSuffices(actor, 'm')}`,
): RawBuilder<Role | null> {
  rejectTaken(row);
  if (actor.kind !== 'user') return sql<Role | null>`null::role`;
  const memberships = membershipsUnder(ssoOf(actor)?.providerId);
  return limitedRoleSql(actor, kind, row, walk(sql`${actor.userId}`, row, STEPS[kind], { memberships, condition }));
}

function walk(
  userId: RawBuilder<unknown>,
  row: string,
  steps: () => Step[],
  { memberships = ALL_MEMBERSHIPS, condition = sql`` } = {},
): RawBuilder<Role | null> {
  rejectTaken(row);
  const roles = [...steps().map((step) => step(row)), 'm.role'].join(', ');
  return sql<Role | null>`(
    select case when m.role = 'admin' then 'admin'::role else coalesce(${sql.raw(roles)}) end
    from ${memberships} m
    where m.organization_id = ${sql.ref(`${row}.organization_id`)} and m.user_id = ${userId} and ${sql.raw(isEnabled('m'))}${condition})`;
}

const MEMBERSHIP_COLUMNS = 'ms.organization_id, ms.user_id, ms.is_disabled, ms.is_break_glass, ms.role_provider_id';

/**
 * Memberships with the roles that count for sign-ins with a provider, or without one, and what teams are compared with.
 */
const membershipsUnder = (providerId: string | undefined): RawBuilder<unknown> => sql`(
  select ${sql.raw(MEMBERSHIP_COLUMNS)}, false as counts_all, ${providerId ?? null}::text as provider_id,
    case when ${countsWith(providerId, 'ms.role_provider_id')} then ms.role end as role
  from membership ms)`;

/** Memberships with all roles. */
const ALL_MEMBERSHIPS = sql.raw(`(
  select ${MEMBERSHIP_COLUMNS}, true as counts_all, null::text as provider_id, ms.role from membership ms)`);

const STEPS: Record<RoleTarget, () => Step[]> = {
  space: () => [ownRole, sitesRole, collectionsRole],
  collection: () => [ownRole, collectionsRole],
  site: () => [ownRole],
};

/** Aliases of tables inside the expressions. They would shadow a row of the same name. */
const TAKEN = ['m', 'ms', 'g', 'tm', 'ss', 'si', 'sc', 'so', 'p'];

function rejectTaken(row: string): void {
  if (TAKEN.includes(row))
    throw new Error(`"${row}" is the alias of a table inside the expression. Use another alias for the row.`);
  if (!/^[a-z]+$/.test(row)) throw new Error(`"${row}" would need quotes. Use another alias for the row.`);
}

/** The highest grant to the user or their teams on the target. */
const highestGrant = (target: string) => `(
  select max(g.role) from "grant" g
  where g.target_id = ${target} and g.organization_id = m.organization_id and (g.grantee_id = m.user_id or g.grantee_id in (
    select tm.team_id from team_member tm where tm.organization_id = m.organization_id and tm.user_id = m.user_id
      and (tm.saml_provider_id is null or m.counts_all or tm.saml_provider_id = m.provider_id))))`;

/** Default levels do not apply to guests, who only have granted access. */
const forMembers = (role: string) => `case when m.role is not null then ${role} end`;

const ownRole: Step = (row) => `coalesce(${highestGrant(`${row}.id`)}, ${forMembers(`${row}.default_level`)})`;

/** All sites of the space form one level: the highest grant, else the highest default level. */
const sitesRole: Step = (row) => {
  const links = 'site_space ss join site si on si.id = ss.site_id';
  const ofSpace = `ss.space_id = ${row}.id and si.organization_id = m.organization_id`;
  const granted = `select max(${highestGrant('si.id')}) from ${links} where ${ofSpace}`;
  const byDefault = `(select max(si.default_level) from ${links} where ${ofSpace})`;
  return `coalesce((${granted}), ${forMembers(byDefault)})`;
};

/** Maximum number of steps of the walk from a resource to its organization. Collections nest up to ten levels. */
export const MAX_DEPTH = 12;

/**
 * The collections that contain an item, nearest first. The first one that defines a role decides. Each is looked up by
 * its key, since PostgreSQL would read all collections of the organization for every item of a join.
 */
const collectionsRole: Step = (row) => {
  const byDefault = `(
    select c.default_level from collection c where c.id = p.parent_id and c.organization_id = m.organization_id)`;
  const role = `coalesce(${highestGrant('p.parent_id')}, ${forMembers(byDefault)})`;
  return `(
    with recursive above(id, depth, role) as (
      select p.parent_id, 1, ${role} from placement p where p.item_id = ${row}.id
      union all
      select p.parent_id, a.depth + 1, ${role}
      from above a join placement p on p.item_id = a.id
      where a.role is null and a.depth < ${MAX_DEPTH}
    )
    select above.role from above where above.role is not null)`;
};
