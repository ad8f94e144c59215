import { type RawBuilder, sql } from 'kysely';
import { type Actor, visitsOf } from '../../../platform/access/actor.ts';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import type { Around, AroundParts } from '../../../platform/paging/around.ts';
import { PARENT } from '../../../platform/paging/shared-statement.ts';
import { cachedMaps, type Maps, type MemberMap, mapCallerOf, mapsOf, type OrganizationMap } from './access-maps.ts';
import { decidedBy, rowsOf, withAccess } from './decide.ts';
import { isListed, mayList, mayView, reaches, roleOn } from './role.ts';
import { isListedBy, isShownBy, roleAbove, roleOfSites, suffices } from './rule.ts';

/** Conditions of a list on rows of spaces, collections and sites, given their alias. */
export interface ListConditions {
  /** The caller's role on the space is `wanted` or higher. */
  space(row: string, wanted: Role): RawBuilder<boolean>;
  /** Lists and searches show the space because of a published site: one that is public, or that has admitted the caller. */
  shown(row: string): RawBuilder<boolean>;
  /**
   * Lists and searches show the space, through a role or because of a published site. `parent` is a column of the statement
   * with what contains the space, which is otherwise looked up for each row: faster for pages, slower for counts.
   */
  listed(row: string, parent?: RawBuilder<string>): RawBuilder<boolean>;
  /** The caller can read the space by its id, through a role or on a published site, also on an unlisted one. */
  view(row: string): RawBuilder<boolean>;
  /** The caller's role on the collection is `wanted` or higher. */
  collection(row: string, wanted: Role): RawBuilder<boolean>;
  /** The caller's role on the site is `wanted` or higher. */
  site(row: string, wanted: Role): RawBuilder<boolean>;
}

/** Conditions that PostgreSQL evaluates by walking the tables, for any organization. */
export const conditionsByWalk = ({ actor }: Context): ListConditions => ({
  space: (row, wanted) => reaches(roleOn.space(actor, row), wanted),
  shown: (row) => isListed(actor, row),
  listed: (row) => mayList(actor, row),
  view: (row) => mayView(actor, row),
  collection: (row, wanted) => reaches(roleOn.collection(actor, row), wanted),
  site: (row, wanted) => reaches(roleOn.site(actor, row), wanted),
});

/** The same, from maps of one organization: only what distinguishes its rows remains in the condition. */
export function conditionsBy(all: Maps, organizationId: string, actor: Actor): ListConditions {
  const maps = suffices(all, actor, organizationId) ? all : { ...all, member: undefined };
  const space = (row: string, wanted: Role, parent = parentOfRow(row)) =>
    spaceCondition(maps, { organizationId, row, wanted, parent });
  const spacesThat = (isSeen: typeof isShownBy) =>
    [...maps.organization.sitesOf.keys()].filter((id) =>
      isSeen(maps, actor, { id, organizationId, level: null, parentId: null }),
    );
  const shown = (row: string) => isIn(`${row}.id`, spacesThat(isListedBy));
  return {
    space,
    shown,
    listed: (row, parent) => either(space(row, 'read', parent), shown(row)),
    view: (row) => either(space(row, 'read'), isIn(`${row}.id`, spacesThat(isShownBy))),
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

interface SpaceWanted {
  organizationId: string;
  /** Alias of the space. */
  row: string;
  wanted: Role;
  /** What contains the space. */
  parent: RawBuilder<string>;
}

const parentOfRow = (row: string) =>
  sql<string>`(select ap.parent_id from placement ap where ap.item_id = ${sql.ref(`${row}.id`)})`;

function spaceCondition(maps: Maps, of: SpaceWanted): RawBuilder<boolean> {
  const { member, organization } = maps;
  const { row, wanted } = of;
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
  const above = parentCondition(organization, member, of);
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
  { organizationId, wanted, parent: found }: SpaceWanted,
): RawBuilder<boolean> {
  const parents = [...organization.collections.keys(), organizationId];
  const { enough, tooLow } = divide(
    parents.map((id) => [id, roleAbove(organization, member, id)]),
    wanted,
  );
  const byRole = atLeast(member.role, wanted);
  const exceptions = byRole ? tooLow : enough;
  if (exceptions.length === 0) return byRole ? YES : NO;
  const parent = sql`coalesce(${found}, '')`;
  const within = sql`in (select unnest(${exceptions}::text[]))`;
  // As a condition of its own, "in" would be a join, for which all rows are read and sorted before the first page is cut.
  return byRole ? sql<boolean>`${parent} not ${within}` : sql<boolean>`(${parent} ${within}) is true`;
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

const TRIES = 2;

/**
 * Runs a statement with conditions from the maps of an organization. The statement returns the version of the access that
 * it has seen, even without rows. If that is another one, it runs again with new maps, and after two tries with the walk.
 */
export async function withConditions<Result>(
  ctx: Context,
  organizationId: string,
  read: (conditions: ListConditions, name?: string) => Promise<{ version: string | undefined; result: Result }>,
): Promise<Result> {
  let seen: string | undefined;
  for (let attempt = 1; attempt <= TRIES && !ctx.inTransaction; attempt++) {
    const maps = await mapsOf(ctx.services, organizationId, mapCallerOf(ctx.actor), seen);
    if (!maps) continue;
    if ('isTooLarge' in maps) break;
    const conditions = conditionsBy(maps, organizationId, ctx.actor);
    const { version, result } = await read(conditions, nameOf(maps, organizationId, ctx.actor));
    if (version === maps.organization.version) return result;
    seen = version;
  }
  return (await read(conditionsByWalk(ctx))).result;
}

/** A name of the conditions from maps, for callers whose maps decide alone. */
function nameOf({ organization: { version } }: Maps, organizationId: string, actor: Actor): string | undefined {
  if (actor.kind !== 'user' || visitsOf(actor).length > 0) return undefined;
  return `${organizationId} ${version} ${actor.userId} ${actor.sso?.organizationId ?? ''} ${actor.sso?.samlProviderId ?? ''}`;
}

/** For lists whose parents are organizations. */
export const inOrganizations: Around<ListConditions> = (ctx, organizationIds, read) =>
  readIn(ctx, organizationIds, sql`join access_version av on av.organization_id = parent.id`, read);

/** For lists whose parents are something else of these organizations. */
export const inOrganizationsOf = <Row extends Record<string, unknown>>(
  ctx: Context,
  organizationIds: readonly string[],
  read: ReadWith<Row>,
): Promise<Row[]> => {
  const [organizationId] = organizationIds;
  return organizationIds.length === 1
    ? readIn(ctx, organizationIds, sql`join access_version av on av.organization_id = ${organizationId}`, read)
    : read({ columns: sql``, joins: sql``, conditions: conditionsByWalk(ctx) });
};

/** For lists whose parents are collections. */
export const inCollections: Around<ListConditions> = async (ctx, collectionIds, read) => {
  const rows = await rowsOf<{ organizationId: string }>(
    ctx,
    sql`select distinct organization_id from collection where id = any(${collectionIds as string[]}::text[])`,
  );
  const joins = sql`
    join collection pc on pc.id = parent.id join access_version av on av.organization_id = pc.organization_id`;
  const organizationIds = rows.map(({ organizationId }) => organizationId);
  return readIn(ctx, organizationIds, joins, read);
};

type ReadWith<Row> = (parts: AroundParts<ListConditions>) => Promise<Row[]>;

/** Reads a list below parents of these organizations. The joins add `access_version` of the organization as `av`. */
function readIn<Row extends Record<string, unknown>>(
  ctx: Context,
  organizationIds: readonly string[],
  joins: RawBuilder<unknown>,
  read: ReadWith<Row>,
): Promise<Row[]> {
  const [organizationId] = organizationIds;
  if (organizationId === undefined) return Promise.resolve([]);
  const seeing = (conditions: ListConditions, name?: string) =>
    read({
      name,
      columns: sql`av.version as "accessVersion", av.organization_id as "accessOrganizationId", `,
      joins,
      conditions,
    });
  if (organizationIds.length > 1) return readInSeveral(ctx, organizationIds, seeing);
  return withConditions(ctx, organizationId, async (conditions, name) => {
    const rows = await seeing(conditions, name);
    const version = rows[0]?.accessVersion as string | undefined;
    // A parent can have been transferred since its organization was read. The conditions do not fit it then.
    const fits = rows.every((row) => row.accessOrganizationId === organizationId && row.accessVersion === version);
    return { version: fits ? version : undefined, result: rows };
  });
}

/**
 * Reads with the maps of all organizations if they are cached. They are not read for this, which would take a statement
 * for each organization.
 */
async function readInSeveral<Row extends Record<string, unknown>>(
  ctx: Context,
  organizationIds: readonly string[],
  read: (conditions: ListConditions) => Promise<Row[]>,
): Promise<Row[]> {
  const cached = ctx.inTransaction ? undefined : mapsOfSeveral(ctx, organizationIds);
  if (cached) {
    const rows = await read(conditionsInSeveral(ctx, cached));
    const isSame = (row: Row) =>
      cached.get(row.accessOrganizationId as string)?.organization.version === row.accessVersion;
    if (rows.every(isSame)) return rows;
  }
  return read(conditionsByWalk(ctx));
}

/** More organizations would make a long statement of conditions. */
const MOST_ORGANIZATIONS = 20;

function mapsOfSeveral({ services, actor }: Context, organizationIds: readonly string[]) {
  if (organizationIds.length > MOST_ORGANIZATIONS) return undefined;
  const found = new Map<string, Maps>();
  for (const id of organizationIds) {
    const maps = cachedMaps(services, id, mapCallerOf(actor));
    if (!maps) return undefined;
    found.set(id, maps);
  }
  return found;
}

/** The conditions of each organization for its rows. */
function conditionsInSeveral({ actor }: Context, maps: ReadonlyMap<string, Maps>): ListConditions {
  const each = [...maps].map(([id, of]) => [id, conditionsBy(of, id, actor)] as const);
  const choose = (row: string, conditionOf: (conditions: ListConditions) => RawBuilder<boolean>) => sql<boolean>`(case
    ${sql.join(
      each.map(
        ([id, conditions]) => sql`when ${sql.ref(`${row}.organization_id`)} = ${id} then ${conditionOf(conditions)}`,
      ),
      sql` `,
    )} else false end)`;
  return {
    space: (row, wanted) => choose(row, ({ space }) => space(row, wanted)),
    shown: (row) => choose(row, ({ shown }) => shown(row)),
    listed: (row, parent) => choose(row, ({ listed }) => listed(row, parent)),
    view: (row) => choose(row, ({ view }) => view(row)),
    collection: (row, wanted) => choose(row, ({ collection }) => collection(row, wanted)),
    site: (row, wanted) => choose(row, ({ site }) => site(row, wanted)),
  };
}

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
    let items: Row[] = [];
    const spaces = await withAccess(ctx, { kind: 'space', row: 'ps', isOwn: true }, async ({ columns, isSame }) => {
      items = await read({
        name: isSame ? '' : undefined,
        columns: sql`decided.*, `,
        // "offset 0" keeps the columns from being computed for each item.
        joins: sql`
          join space ps on ps.id = parent.id and ps.deleted_at is null
          join access_version av on av.organization_id = ps.organization_id
          join lateral (select ${columns} offset 0) decided on true`,
        conditions: undefined,
      });
      const oneOfEach = new Map(items.map((item) => [item[PARENT], item]));
      // Apart from the items, which can have a column `role` of their own.
      return [...oneOfEach].map(([spaceId, item]) => ({ ...decidedBy(item), spaceId }));
    });
    const readable = new Set(spaces.filter(({ role }) => atLeast(role, wanted)).map(({ spaceId }) => spaceId));
    return items.filter((item) => readable.has(item[PARENT]));
  };
