import { type RawBuilder, sql } from 'kysely';
import { type Actor, userIdOf } from '../../../platform/access/actor.ts';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import type { Around, AroundParts } from '../../../platform/paging/around.ts';
import { type Maps, type MemberMap, mapsOf, type OrganizationMap } from './access-maps.ts';
import { decidedBy, rowsOf, withAccess } from './decide.ts';
import { isShown, mayView, reaches, roleOn } from './role.ts';
import { isShownBy, roleAbove, roleOfSites, suffices } from './rule.ts';

/** Conditions of a list on rows of spaces, collections and sites, given their alias. */
export interface ListConditions {
  /** The caller's role on the space is `wanted` or higher. */
  space(row: string, wanted: Role): RawBuilder<boolean>;
  /** A published site shows the space to the caller. */
  shown(row: string): RawBuilder<boolean>;
  /** The caller can read the space, through a role or on a published site. */
  view(row: string): RawBuilder<boolean>;
  /** The caller's role on the collection is `wanted` or higher. */
  collection(row: string, wanted: Role): RawBuilder<boolean>;
  /** The caller's role on the site is `wanted` or higher. */
  site(row: string, wanted: Role): RawBuilder<boolean>;
}

/** Conditions that PostgreSQL evaluates by walking the tables, for any organization. */
export const conditionsByWalk = ({ actor }: Context): ListConditions => ({
  space: (row, wanted) => reaches(roleOn.space(actor, row), wanted),
  shown: (row) => isShown(actor, row),
  view: (row) => mayView(actor, row),
  collection: (row, wanted) => reaches(roleOn.collection(actor, row), wanted),
  site: (row, wanted) => reaches(roleOn.site(actor, row), wanted),
});

/** The same, from maps of one organization: only what distinguishes its rows remains in the condition. */
export function conditionsBy(all: Maps, organizationId: string, actor: Actor): ListConditions {
  const maps = suffices(all, actor, organizationId) ? all : { ...all, member: undefined };
  const space = (row: string, wanted: Role) => spaceCondition(maps, organizationId, row, wanted);
  const shown = (row: string) => isIn(`${row}.id`, shownSpaces(maps, actor, organizationId));
  return {
    space,
    shown,
    view: (row) => either(space(row, 'read'), shown(row)),
    collection: (row, wanted) => collectionCondition(maps, row, wanted),
    site: (row, wanted) => siteCondition(maps, row, wanted),
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

function spaceCondition(maps: Maps, organizationId: string, row: string, wanted: Role): RawBuilder<boolean> {
  const { member, organization } = maps;
  if (!member?.isMember) return NO;
  if (member.role === 'admin') return YES;
  const own = divide(
    [...member.grants].filter(([id]) => !organization.collections.has(id) && !organization.sites.has(id)),
    wanted,
  );
  const bySites = divide(
    [...organization.sitesOf.keys()].map((id) => [id, roleOfSites(organization, member, id)]),
    wanted,
  );
  const level = sql.ref(`${row}.default_level`);
  const branches = [
    ...branchesOf(`${row}.id`, own),
    // Default levels do not apply to guests.
    ...(member.role === null ? [] : [sql`when ${level} is not null then ${level} >= ${sql.lit(wanted)}`]),
    ...branchesOf(`${row}.id`, bySites),
  ];
  const above = parentCondition(organization, member, { organizationId, row, wanted });
  return branches.length === 0 ? above : sql<boolean>`(case ${sql.join(branches, sql` `)} else ${above} end)`;
}

interface Divided {
  enough: string[];
  tooLow: string[];
}

/** Divides resources with a role by whether it is high enough. */
function divide(roles: Iterable<[id: string, role: Role | null]>, wanted: Role): Divided {
  const divided: Divided = { enough: [], tooLow: [] };
  for (const [id, role] of roles) if (role !== null) divided[atLeast(role, wanted) ? 'enough' : 'tooLow'].push(id);
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
  { organizationId, row, wanted }: { organizationId: string; row: string; wanted: Role },
): RawBuilder<boolean> {
  const parents = [...organization.collections.keys(), organizationId];
  const { enough, tooLow } = divide(
    parents.map((id) => [id, roleAbove(organization, member, id)]),
    wanted,
  );
  const byRole = atLeast(member.role, wanted);
  const exceptions = byRole ? tooLow : enough;
  if (exceptions.length === 0) return byRole ? YES : NO;
  const parent = sql`coalesce((select ap.parent_id from placement ap where ap.item_id = ${sql.ref(`${row}.id`)}), '')`;
  const within = sql`in (select unnest(${exceptions}::text[]))`;
  return byRole ? sql<boolean>`${parent} not ${within}` : sql<boolean>`${parent} ${within}`;
}

function collectionCondition({ organization, member }: Maps, row: string, wanted: Role): RawBuilder<boolean> {
  if (!member?.isMember) return NO;
  if (member.role === 'admin') return YES;
  const { enough, tooLow } = divide(
    [...organization.collections.keys()].map((id) => [
      id,
      roleAbove(organization, member, id) ?? member.role ?? 'none',
    ]),
    wanted,
  );
  if (tooLow.length === 0) return YES;
  return enough.length <= tooLow.length ? isIn(`${row}.id`, enough) : sql<boolean>`not ${isIn(`${row}.id`, tooLow)}`;
}

function siteCondition({ organization, member }: Maps, row: string, wanted: Role): RawBuilder<boolean> {
  if (!member?.isMember) return NO;
  if (member.role === 'admin') return YES;
  const { enough, tooLow } = divide(
    [...organization.sites].map(([id, { level }]) => [
      id,
      member.grants.get(id) ?? (member.role === null ? null : level) ?? member.role ?? 'none',
    ]),
    wanted,
  );
  if (tooLow.length === 0) return YES;
  return enough.length <= tooLow.length ? isIn(`${row}.id`, enough) : sql<boolean>`not ${isIn(`${row}.id`, tooLow)}`;
}

const shownSpaces = (maps: Maps, actor: Actor, organizationId: string): string[] =>
  [...maps.organization.sitesOf.keys()].filter((id) =>
    isShownBy(maps, actor, { id, organizationId, level: null, parentId: null }),
  );

const TRIES = 2;

/**
 * Runs a statement with conditions from the maps of an organization. The statement returns the version of the access that
 * it has seen, even without rows. If that is another one, it runs again with new maps, and after two tries with the walk.
 */
export async function withConditions<Result>(
  ctx: Context,
  organizationId: string,
  read: (conditions: ListConditions) => Promise<{ version: string | undefined; result: Result }>,
): Promise<Result> {
  let seen: string | undefined;
  for (let attempt = 1; attempt <= TRIES && !ctx.inTransaction; attempt++) {
    const maps = await mapsOf(ctx.services, organizationId, userIdOf(ctx.actor), seen);
    if (!maps) continue;
    if ('isTooLarge' in maps) break;
    const { version, result } = await read(conditionsBy(maps, organizationId, ctx.actor));
    if (version === maps.organization.version) return result;
    seen = version;
  }
  return (await read(conditionsByWalk(ctx))).result;
}

/** For lists whose parents are organizations. */
export const inOrganizations: Around<ListConditions> = async (ctx, organizationIds, read) => {
  const [organizationId] = organizationIds;
  if (organizationId === undefined || organizationIds.length > 1) {
    return read({ columns: sql``, joins: sql``, conditions: conditionsByWalk(ctx) });
  }
  return readIn(ctx, organizationId, read);
};

const readIn = <Row extends Record<string, unknown>>(
  ctx: Context,
  organizationId: string,
  read: (parts: AroundParts<ListConditions>) => Promise<Row[]>,
): Promise<Row[]> =>
  withConditions(ctx, organizationId, async (conditions) => {
    const columns = sql`av.version as "accessVersion", `;
    const joins = sql`join access_version av on av.organization_id = ${organizationId}`;
    const rows = await read({ columns, joins, conditions });
    return { version: rows[0]?.accessVersion as string | undefined, result: rows };
  });

/** For lists whose parents are collections. */
export const inCollections: Around<ListConditions> = async (ctx, collectionIds, read) => {
  const rows = await rowsOf<{ organizationId: string }>(
    ctx,
    sql`select distinct organization_id from collection where id = any(${collectionIds as string[]}::text[])`,
  );
  const [organization] = rows;
  if (organization === undefined || rows.length > 1) {
    return read({ columns: sql``, joins: sql``, conditions: conditionsByWalk(ctx) });
  }
  return readIn(ctx, organization.organizationId, read);
};

/**
 * For lists whose parents are spaces, and whose items need a role on the space but no more: they are read together with
 * the space, and left out if the role is too low or the space is deleted.
 */
export const inSpacesWith =
  (wanted: Role): Around<undefined> =>
  async <Row extends Record<string, unknown>>(
    ctx: Context,
    _spaceIds: readonly string[],
    read: (parts: AroundParts<undefined>) => Promise<Row[]>,
  ) => {
    const found = await withAccess(ctx, { kind: 'space', row: 'ps', isOwn: true }, async ({ columns }) => {
      const rows = await read({
        columns: sql`${columns}, `,
        joins: sql`
          join space ps on ps.id = parent.id and ps.deleted_at is null
          join access_version av on av.organization_id = ps.organization_id`,
        conditions: undefined,
      });
      // Apart from the item, which can have a column `role` of its own.
      return rows.map((item) => ({ ...decidedBy(item), item }));
    });
    return found.filter(({ role }) => atLeast(role, wanted)).map(({ item }) => item);
  };
