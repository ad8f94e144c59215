import { type RawBuilder, sql } from 'kysely';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { AccessFilter, AccessSql } from '../../../platform/paging/access-filter.ts';
import { PARENT_COLUMN } from '../../../platform/paging/list-statements.ts';
import { cachedMapsInAnyVersion, loadMaps, type Maps, mapCallerOf } from './access-maps.ts';
import { executeRows, pickAccessColumns, withAccess } from './decide.ts';
import { decideOnMaps } from './decide-on-maps.ts';
import {
  conditionsFromMaps,
  conditionsInSeveral,
  conditionsInSql,
  type ListConditions,
} from './rule/list-conditions.ts';

/**
 * Runs a statement with conditions from the maps of an organization, or else from the rule in SQL (`decideOnMaps`). The
 * statement returns the version of the access that it has read, even without rows.
 */
export function withConditions<Result>(
  ctx: Context,
  organizationId: string,
  read: (conditions: ListConditions) => Promise<{ version: string | undefined; result: Result }>,
): Promise<Result> {
  // Conditions come before the statement. The second attempt gets them from maps of the version that the first has
  // read.
  let expectedVersion: string | undefined;
  return decideOnMaps(ctx, {
    async onMaps() {
      const maps = await loadMaps(ctx.services, organizationId, mapCallerOf(ctx.actor), expectedVersion);
      if (typeof maps === 'string') return maps;
      const { version, result } = await read(conditionsFromMaps(maps, organizationId, ctx.actor));
      expectedVersion = version;
      return version === maps.organization.version ? { decided: result } : 'access changed';
    },
    inSql: async () => (await read(conditionsInSql(ctx))).result,
  });
}

/** Items of a list that its callers may see, by the alias of their table or of the space that they belong to. */
export type VisibleItems =
  /** Spaces that lists show: those that the caller can read, through a role or on a public site. */
  | { listedSpace: string }
  /** Rows that the caller has this role on, or a higher one. Published sites do not count. */
  | { space: string; role: Role }
  | { collection: string; role: Role }
  | { site: string; role: Role };

/** The condition that the caller sees an item. Leaves out items of deleted spaces. */
function visibleIn(conditions: ListConditions, items: VisibleItems): RawBuilder<boolean> {
  if ('listedSpace' in items) return ofExisting(items.listedSpace, conditions.listed(items.listedSpace));
  if ('space' in items) return ofExisting(items.space, conditions.space(items.space, items.role));
  if ('collection' in items) return conditions.collection(items.collection, items.role);
  return conditions.site(items.site, items.role);
}

const ofExisting = (space: string, condition: RawBuilder<boolean>) =>
  sql<boolean>`${sql.ref(`${space}.deleted_at`)} is null and ${condition}`;

/** For lists whose parents are organizations. */
export const organizationLists =
  (items: VisibleItems): AccessFilter<undefined> =>
  (ctx, organizationIds, read) =>
    readIn(ctx, organizationIds, sql`join access_version av on av.organization_id = parent.id`, (access) =>
      read({ ...access, conditions: undefined, where: visibleIn(access.conditions, items) }),
    );

/** For lists whose parents are collections. */
export const collectionLists =
  (items: VisibleItems): AccessFilter<undefined> =>
  async (ctx, collectionIds, read) => {
    const rows = await executeRows<{ organizationId: string }>(
      ctx,
      sql`select distinct organization_id from collection where id = any(${collectionIds as string[]}::text[])`,
    );
    const joins = sql`
      join collection pc on pc.id = parent.id join access_version av on av.organization_id = pc.organization_id`;
    const organizationIds = rows.map(({ organizationId }) => organizationId);
    return readIn(ctx, organizationIds, joins, (access) =>
      read({ ...access, conditions: undefined, where: visibleIn(access.conditions, items) }),
    );
  };

/** For lists whose parents are something else of these organizations, and whose SQL contains the conditions. */
export const readInOrganizations = <Row extends Record<string, unknown>>(
  ctx: Context,
  organizationIds: readonly string[],
  read: ReadWith<Row>,
): Promise<Row[]> => {
  const [organizationId] = organizationIds;
  return organizationIds.length === 1
    ? readIn(ctx, organizationIds, sql`join access_version av on av.organization_id = ${organizationId}`, read)
    : read({ conditions: conditionsInSql(ctx) });
};

type ReadWith<Row> = (access: AccessSql<ListConditions>) => Promise<Row[]>;

/** Reads a list below parents of these organizations. The joins add `access_version` of the organization as `av`. */
function readIn<Row extends Record<string, unknown>>(
  ctx: Context,
  organizationIds: readonly string[],
  joins: RawBuilder<unknown>,
  read: ReadWith<Row>,
): Promise<Row[]> {
  const [organizationId] = organizationIds;
  if (organizationId === undefined) return Promise.resolve([]);
  const seeing = (conditions: ListConditions) =>
    read({
      columns: sql`av.version as "accessVersion", av.organization_id as "accessOrganizationId", `,
      joins,
      conditions,
    });
  if (organizationIds.length > 1) return readInSeveral(ctx, organizationIds, seeing);
  return withConditions(ctx, organizationId, async (conditions) => {
    const rows = await seeing(conditions);
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
function readInSeveral<Row extends Record<string, unknown>>(
  ctx: Context,
  organizationIds: readonly string[],
  read: (conditions: ListConditions) => Promise<Row[]>,
): Promise<Row[]> {
  return decideOnMaps(ctx, {
    async onMaps() {
      const cached = cachedMapsOfSeveral(ctx, organizationIds);
      if (!cached) return 'no maps';
      const rows = await read(conditionsInSeveral(cached, ctx.actor));
      const hasVersionOfMaps = (row: Row) =>
        cached.get(row.accessOrganizationId as string)?.organization.version === row.accessVersion;
      // Another attempt would have the same maps.
      return rows.every(hasVersionOfMaps) ? { decided: rows } : 'no maps';
    },
    inSql: () => read(conditionsInSql(ctx)),
  });
}

/** Maximum number of organizations whose conditions one statement has. With more, it walks the tables. */
const MAX_ORGANIZATIONS = 20;

function cachedMapsOfSeveral({ services, actor }: Context, organizationIds: readonly string[]) {
  if (organizationIds.length > MAX_ORGANIZATIONS) return undefined;
  const mapsById = new Map<string, Maps>();
  for (const id of organizationIds) {
    const maps = cachedMapsInAnyVersion(services, id, mapCallerOf(actor));
    if (!maps) return undefined;
    mapsById.set(id, maps);
  }
  return mapsById;
}

/**
 * For lists whose parents are spaces, and whose items need a role on the space but no more. The items are read together
 * with the space, and left out if the role is too low or the space is deleted.
 */
export const spaceLists =
  (minimum: Role): AccessFilter<undefined> =>
  async <Row extends Record<string, unknown>>(
    ctx: Context,
    _spaceIds: readonly string[],
    read: (access: AccessSql<undefined>) => Promise<Row[]>,
  ) => {
    let items: Row[] = [];
    const spaces = await withAccess(ctx, { kind: 'space', row: 'ps', mayChangeRows: true }, async ({ columns }) => {
      items = await read({
        columns: sql`decided.*, `,
        // "offset 0" keeps the columns from being computed for each item.
        joins: sql`
          join space ps on ps.id = parent.id and ps.deleted_at is null
          join access_version av on av.organization_id = ps.organization_id
          join lateral (select ${columns} offset 0) decided on true`,
        conditions: undefined,
      });
      const oneOfEach = new Map(items.map((item) => [item[PARENT_COLUMN], item]));
      // Apart from the items, which can have a column `role` of their own.
      return [...oneOfEach].map(([spaceId, item]) => ({ ...pickAccessColumns(item), spaceId }));
    });
    const readable = new Set(spaces.filter(({ role }) => atLeast(role, minimum)).map(({ spaceId }) => spaceId));
    return items.filter((item) => readable.has(item[PARENT_COLUMN]));
  };
