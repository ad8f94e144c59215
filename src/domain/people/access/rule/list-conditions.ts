import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../../platform/access/actor.ts';
import { atLeast, type Role } from '../../../../platform/access/roles.ts';
import type { Context } from '../../../../platform/context/context.ts';
import type { Maps, MemberMap, OrganizationMap } from '../access-maps.ts';
import { isListedInMemory, isShownInMemory, roleAbove, roleOfSites, suffices } from './memory-rule.ts';
import { limitedConditions } from './space-limit.ts';
import { isListedSql, mayList, mayView, reaches, roleSql } from './sql-rule.ts';

/** Conditions of a list on rows of spaces, collections and sites, given their alias. */
export interface ListConditions {
  /** The caller's role on the space is `minimum` or higher. */
  space(row: string, minimum: Role): RawBuilder<boolean>;
  /**
   * Lists and searches show the space because of a published site: one that is public, or that has admitted the caller.
   */
  shown(row: string): RawBuilder<boolean>;
  /** Lists and searches show the space, through a role or because of a published site. */
  listed(row: string): RawBuilder<boolean>;
  /** The caller can read the space by its id, through a role or on a published site, also on an unlisted one. */
  view(row: string): RawBuilder<boolean>;
  /** The caller's role on the collection is `minimum` or higher. */
  collection(row: string, minimum: Role): RawBuilder<boolean>;
  /** The caller's role on the site is `minimum` or higher. */
  site(row: string, minimum: Role): RawBuilder<boolean>;
}

/** Conditions that PostgreSQL evaluates by walking the tables, for any organization. */
export const conditionsInSql = ({ actor }: Context): ListConditions => ({
  space: (row, minimum) => reaches(roleSql.space(actor, row), minimum),
  shown: (row) => isListedSql(actor, row),
  listed: (row) => mayList(actor, row),
  view: (row) => mayView(actor, row),
  collection: (row, minimum) => reaches(roleSql.collection(actor, row), minimum),
  site: (row, minimum) => reaches(roleSql.site(actor, row), minimum),
});

/** The same, from maps of one organization: only what distinguishes its rows remains in the condition. */
export function conditionsFromMaps(all: Maps, organizationId: string, actor: Actor): ListConditions {
  const maps = suffices(all, actor, organizationId) ? all : { ...all, member: undefined };
  const { space, collection, site } = limitedConditions(actor, {
    space: (row, minimum) => spaceCondition(maps, { organizationId, row, minimum }),
    collection: (row, minimum) => collectionCondition(maps, row, minimum),
    site: (row, minimum) => siteCondition(maps, row, minimum),
  });
  const spacesThat = (isSeen: typeof isShownInMemory) =>
    [...maps.organization.sitesOf.keys()].filter((id) =>
      isSeen(maps, actor, { id, organizationId, level: null, parentId: null }),
    );
  const shownOnSites = (row: string) => isIn(`${row}.id`, spacesThat(isListedInMemory));
  return {
    space,
    shown: shownOnSites,
    listed: (row) => either(space(row, 'read'), shownOnSites(row)),
    view: (row) => either(space(row, 'read'), isIn(`${row}.id`, spacesThat(isShownInMemory))),
    collection,
    site,
  };
}

const YES = sql<boolean>`true`;
const NO = sql<boolean>`false`;

function either(first: RawBuilder<boolean>, second: RawBuilder<boolean>): RawBuilder<boolean> {
  if (first === YES || second === NO) return first;
  return first === NO ? second : sql<boolean>`(${first} or ${second})`;
}

/** `in (select unnest …)` is looked up in a hash table, unlike `= any …`. */
const isIn = (column: string, ids: readonly string[]): RawBuilder<boolean> =>
  ids.length === 0 ? NO : sql<boolean>`${sql.ref(column)} in (select unnest(${ids}::text[]))`;

interface SpaceRequirement {
  organizationId: string;
  /** Alias of the space. */
  row: string;
  minimum: Role;
}

function spaceCondition(maps: Maps, of: SpaceRequirement): RawBuilder<boolean> {
  const { member, organization } = maps;
  const { row, minimum } = of;
  if (!member?.isMember) return NO;
  if (member.role === 'admin') return YES;
  const byGrant = divide(
    [...member.grants].filter(([id]) => !organization.collections.has(id) && !organization.sites.has(id)),
    minimum,
  );
  const bySites = divide(
    [...organization.sitesOf.keys()].map((id) => [id, roleOfSites(organization, member, id)]),
    minimum,
  );
  const level = sql.ref(`${row}.default_level`);
  const branches = [
    ...branchesOf(`${row}.id`, byGrant),
    // Default levels do not apply to guests.
    ...(member.role === null ? [] : [sql`when ${level} is not null then ${level} >= ${sql.lit(minimum)}`]),
    ...branchesOf(`${row}.id`, bySites),
  ];
  const above = parentCondition(organization, member, of);
  return branches.length === 0 ? above : sql<boolean>`(case ${sql.join(branches, sql` `)} else ${above} end)`;
}

interface Divided {
  enough: string[];
  tooLow: string[];
}

/** Divides resources with a role by whether it is high enough. */
function divide(roles: Iterable<[id: string, role: Role | null]>, minimum: Role): Divided {
  const divided: Divided = { enough: [], tooLow: [] };
  for (const [id, role] of roles) if (role !== null) divided[atLeast(role, minimum) ? 'enough' : 'tooLow'].push(id);
  return divided;
}

const branchesOf = (column: string, { enough, tooLow }: Divided) => [
  ...(enough.length > 0 ? [sql`when ${isIn(column, enough)} then true`] : []),
  ...(tooLow.length > 0 ? [sql`when ${isIn(column, tooLow)} then false`] : []),
];

/** The condition on the parent of a space, for spaces whose own level and sites define no role. */
function parentCondition(
  organization: OrganizationMap,
  member: MemberMap,
  { organizationId, row, minimum }: SpaceRequirement,
): RawBuilder<boolean> {
  const parents = [...organization.collections.keys(), organizationId];
  const { enough, tooLow } = divide(
    parents.map((id) => [id, roleAbove(organization, member, id)]),
    minimum,
  );
  const byRole = atLeast(member.role, minimum);
  const exceptions = byRole ? tooLow : enough;
  if (exceptions.length === 0) return byRole ? YES : NO;
  const parent = sql`coalesce((select ap.parent_id from placement ap where ap.item_id = ${sql.ref(`${row}.id`)}), '')`;
  const within = sql`in (select unnest(${exceptions}::text[]))`;
  // As a condition of its own, "in" would be a join, for which all rows are read and sorted before the first page is
  // cut.
  return byRole ? sql<boolean>`${parent} not ${within}` : sql<boolean>`(${parent} ${within}) is true`;
}

function collectionCondition({ organization, member }: Maps, row: string, minimum: Role): RawBuilder<boolean> {
  if (!member?.isMember) return NO;
  if (member.role === 'admin') return YES;
  const { enough, tooLow } = divide(
    [...organization.collections.keys()].map((id) => [
      id,
      roleAbove(organization, member, id) ?? member.role ?? 'none',
    ]),
    minimum,
  );
  if (tooLow.length === 0) return YES;
  return enough.length <= tooLow.length ? isIn(`${row}.id`, enough) : sql<boolean>`not ${isIn(`${row}.id`, tooLow)}`;
}

function siteCondition({ organization, member }: Maps, row: string, minimum: Role): RawBuilder<boolean> {
  if (!member?.isMember) return NO;
  if (member.role === 'admin') return YES;
  const { enough, tooLow } = divide(
    [...organization.sites].map(([id, { level }]) => [
      id,
      member.grants.get(id) ?? (member.role === null ? null : level) ?? member.role ?? 'none',
    ]),
    minimum,
  );
  if (tooLow.length === 0) return YES;
  return enough.length <= tooLow.length ? isIn(`${row}.id`, enough) : sql<boolean>`not ${isIn(`${row}.id`, tooLow)}`;
}

/** The conditions of each organization for its rows. */
export function conditionsInSeveral(maps: ReadonlyMap<string, Maps>, actor: Actor): ListConditions {
  const entries = [...maps].map(([id, of]) => [id, conditionsFromMaps(of, id, actor)] as const);
  const choose = (row: string, conditionOf: (conditions: ListConditions) => RawBuilder<boolean>) => sql<boolean>`(case
    ${sql.join(
      entries.map(
        ([id, conditions]) => sql`when ${sql.ref(`${row}.organization_id`)} = ${id} then ${conditionOf(conditions)}`,
      ),
      sql` `,
    )} else false end)`;
  return {
    space: (row, minimum) => choose(row, ({ space }) => space(row, minimum)),
    shown: (row) => choose(row, ({ shown }) => shown(row)),
    listed: (row) => choose(row, ({ listed }) => listed(row)),
    view: (row) => choose(row, ({ view }) => view(row)),
    collection: (row, minimum) => choose(row, ({ collection }) => collection(row, minimum)),
    site: (row, minimum) => choose(row, ({ site }) => site(row, minimum)),
  };
}
