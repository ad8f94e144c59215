import { type RawBuilder, sql } from 'kysely';
import { type Actor, canReach } from '../../../platform/access/actor.ts';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { accessAdvisoryLock, type VersionLock } from './access-advisory-lock.ts';
import { cachedMapsInVersion, type Maps, mapCallerOf, type Undecided } from './access-maps.ts';
import { decideOnMaps, mapsInVersion } from './decide-on-maps.ts';
import { requiresSso } from './rule/acting-member.ts';
import {
  type AccessTarget,
  isOnConditionalSiteInMemory,
  isShownInMemory,
  isSiteShownInMemory,
  roleInMemory,
  suffices,
} from './rule/memory-rule.ts';
import { limitedRole } from './rule/space-limit.ts';
import {
  isOnConditionalSiteSql,
  isShownSql,
  isSiteShownSql,
  type RoleTarget,
  roleSql,
  roleSqlIfSignedIn,
} from './rule/sql-rule.ts';

/** The caller's access to a resource: the role, and whether it is published for the caller (never for collections). */
export interface Access {
  role: Role | null;
  isShown: boolean;
  /** Whether the sites that show the caller the space, by visits or to everyone, have conditions in their structure. */
  isOnConditionalSite: boolean;
  /** The caller has no role now, but would with the SSO of the organization. */
  needsSso?: boolean;
}

/** Access as it was decided for a row, with the version that it was decided on. */
export interface DecidedAccess extends Access {
  accessVersion: string;
  /** The collection or organization that contains the item. Null if it is not placed; undefined if it was not read. */
  accessParentId?: string | null;
  /** Undefined if the parent was not read. */
  accessOrganizationId?: string;
}

/** What a statement reads beside a row so that access to it can be decided: the same for all callers. */
export interface AccessInputs {
  accessId: string;
  accessOrganizationId: string;
  accessLevel: Role | null;
  accessParentId: string | null;
  accessVersion: string;
}

/** Row lock that a transaction holds until it ends. */
export type Lock = 'for no key update' | 'for key share' | 'for update';

/** How rows are read: the columns to select beside them, and the end of the statement. */
export interface AccessSelection {
  /** Refer to the resource by its alias, and to `access_version` of its organization as `av`. */
  columns: RawBuilder<unknown>;
  /** Locks, or nothing. */
  end: RawBuilder<unknown>;
  /** The columns are the same for all callers, and nothing is locked. */
  isCallerIndependent: boolean;
}

interface AccessRequest {
  kind: RoleTarget;
  /** Alias of the resource in the statement. */
  row: string;
  /** Locks the version of the access until the transaction ends, so that what is decided stays decided. */
  accessLock?: AccessLock | undefined;
  /** The rows were read only for this request, so that the access is added to them and not to copies. */
  mayChangeRows?: boolean;
}

/** A lock of the version: shared with other writes, or exclusive, for commands that change access. */
export interface AccessLock {
  version: VersionLock;
  /** Locks of rows, after that of the version: `for no key update of r`. */
  rows?: string;
}

/** The rows of a statement. */
export const executeRows = async <Row>({ db }: Context, statement: RawBuilder<unknown>): Promise<Row[]> =>
  (await statement.execute(db)).rows as Row[]; // as the caller knows its columns

/**
 * Reads rows with the caller's access to the resource that each belongs to, as of the same moment as the row
 * (`decideOnMaps`). `read` runs one statement, and is called again if access has changed meanwhile, or if the statement
 * has to compute the access (`roleSql`).
 */
export async function withAccess<Row extends object>(
  ctx: Context,
  request: AccessRequest,
  read: (selection: AccessSelection) => Promise<Row[]>,
): Promise<(Row & DecidedAccess)[]> {
  const selection = { columns: inputColumns(request), end: endOf(request), isCallerIndependent: !request.accessLock };
  return decideOnMaps<(Row & DecidedAccess)[]>(ctx, {
    locksVersion: request.accessLock !== undefined,
    async onMaps() {
      const rows = (await read(selection)) as (Row & AccessInputs & { accessSeen?: string })[]; // with the selected columns
      // A statement that waits for a lock returns the row as it was before, and the version as it is afterwards.
      if (rows.some(({ accessSeen, accessVersion }) => (accessSeen ?? accessVersion) !== accessVersion))
        return 'access changed';
      const maps = await mapsOfRows(ctx, rows);
      return typeof maps === 'string' ? maps : { decided: withDecisions(ctx, request, maps, rows) };
    },
    async inSql() {
      // Takes no locks: the first statement has taken them.
      const columns = sql`${decidingColumns(ctx, request)}, av.version as "accessVersion"`;
      const rows = await read({ columns, end: sql``, isCallerIndependent: false });
      return (rows as (Row & DecidedInSql)[]).map(toDecided); // with the selected columns
    },
  });
}

function toDecided<Row extends DecidedInSql>(row: Row): Row & DecidedAccess {
  const access = {
    ...row,
    role: row.accessRole,
    isShown: row.accessIsShown,
    isOnConditionalSite: row.accessIsOnConditionalSite,
  };
  return row.accessNeedsSso ? withoutSso(access) : access;
}

/** The access of a caller who would need SSO to have it. */
const withoutSso = <Has extends Access>(access: Has): Has => ({
  ...access,
  role: null,
  needsSso: atLeast(access.role, 'read'),
});

/** Adds the access to the rows, which is decided once for each resource. */
function withDecisions<Row extends AccessInputs>(
  ctx: Context,
  { kind, mayChangeRows = false }: AccessRequest,
  maps: Map<string, Maps>,
  rows: readonly Row[],
): (Row & DecidedAccess)[] {
  const accesses = new Map<string, Access>();
  return rows.map((row) => {
    const access = accesses.get(row.accessId) ?? decideAccess(ctx, kind, maps, row);
    accesses.set(row.accessId, access);
    return mayChangeRows ? Object.assign(row, access) : { ...row, ...access };
  });
}

/**
 * The caller's access to resources that a statement has read with what decides on them. Undefined if this process does
 * not have the maps of their versions.
 */
export function decideFromCache(ctx: Context, kind: RoleTarget, rows: readonly AccessInputs[]): Access[] | undefined {
  const caller = mapCallerOf(ctx.actor);
  const maps = new Map<string, Maps>();
  for (const { accessOrganizationId: id, accessVersion } of rows) {
    const cached = maps.get(id) ?? cachedMapsInVersion(ctx.services, id, caller, accessVersion);
    if (cached?.organization.version !== accessVersion) return undefined;
    maps.set(id, cached);
  }
  return rows.map((row) => decideAccess(ctx, kind, maps, row));
}

/**
 * The caller's access to a collection, without a statement, if this process has the maps of the version. Undefined
 * otherwise, or if the organization does not have the collection.
 */
export function cachedCollectionAccess(
  ctx: Context,
  id: string,
  organizationId: string,
  version: string,
): Access | undefined {
  const maps = cachedMapsInVersion(ctx.services, organizationId, mapCallerOf(ctx.actor), version);
  const collection = maps?.organization.collections.get(id);
  if (!maps || !collection) return undefined;
  return decideAccess(ctx, 'collection', new Map([[organizationId, maps]]), {
    accessId: id,
    accessOrganizationId: organizationId,
    accessLevel: collection.level,
    accessParentId: collection.parentId,
    accessVersion: version,
  });
}

/** By kind, alias and the lock of the version. */
const knownColumns = new Map<string, RawBuilder<unknown>>();

/**
 * The columns of `AccessInputs`. With a lock also the version before the statement waited for it, and its advisory
 * lock.
 */
export function inputColumns({ kind, row, accessLock }: AccessRequest): RawBuilder<unknown> {
  const key = `${kind} ${row} ${accessLock?.version ?? ''}`;
  const columns = knownColumns.get(key) ?? makeInputColumns({ kind, row, accessLock });
  knownColumns.set(key, columns);
  return columns;
}

function makeInputColumns({ kind, row, accessLock }: AccessRequest): RawBuilder<unknown> {
  const parent =
    kind === 'site' ? 'null::text' : `(select ap.parent_id from placement ap where ap.item_id = ${row}.id)`;
  const seen = accessLock
    ? `, (select as_seen.version from access_version as_seen where as_seen.organization_id = ${row}.organization_id) as "accessSeen", ` +
      `${accessAdvisoryLock(`${row}.organization_id`, accessLock.version)} as "accessAdvisoryLock"`
    : '';
  return sql.raw(
    `${row}.id as "accessId", ${row}.organization_id as "accessOrganizationId", ${row}.default_level as "accessLevel", ` +
      `${parent} as "accessParentId", av.version as "accessVersion"${seen}`,
  );
}

/** What a statement has read beside a row for the decision. */
export const pickAccessColumns = (row: Record<string, unknown>): Record<string, unknown> => ({
  accessId: row.accessId,
  accessOrganizationId: row.accessOrganizationId,
  accessLevel: row.accessLevel,
  accessParentId: row.accessParentId,
  accessVersion: row.accessVersion,
  accessRole: row.accessRole,
  accessIsShown: row.accessIsShown,
  accessIsOnConditionalSite: row.accessIsOnConditionalSite,
  accessNeedsSso: row.accessNeedsSso,
});

/** Names that no column of a table has, so that rows can have any beside them. */
interface DecidedInSql {
  accessRole: Role | null;
  accessIsShown: boolean;
  accessIsOnConditionalSite: boolean;
  accessNeedsSso: boolean;
  accessVersion: string;
}

/** The columns of `DecidedInSql` except the version. Where SSO is needed, the role is that of a caller with SSO. */
const decidingColumns = (
  { actor }: Context,
  { kind, row }: Pick<AccessRequest, 'kind' | 'row'>,
): RawBuilder<unknown> => {
  const visible = isShownSqlByKind[kind](actor, row);
  const isOpen = actor.kind !== 'user' || actor.sso !== undefined;
  const role = isOpen ? roleSql[kind](actor, row) : roleSqlIfSignedIn[kind](actor, row);
  const needed = isOpen
    ? sql`false`
    : sql`coalesce((
        select ${sql.raw(requiresSso('m'))} from membership m
        where m.organization_id = ${sql.ref(`${row}.organization_id`)} and m.user_id = ${actor.userId}), false)`;
  const isOnConditional = kind === 'space' ? isOnConditionalSiteSql(actor, row) : sql`false`;
  return sql`${role} as "accessRole", ${visible} as "accessIsShown", ${isOnConditional} as "accessIsOnConditionalSite",
    ${needed} as "accessNeedsSso"`;
};

const isShownSqlByKind = {
  space: isShownSql,
  site: isSiteShownSql,
  collection: () => sql<boolean>`false`,
} satisfies Record<RoleTarget, (actor: Actor, row: string) => RawBuilder<boolean>>;

const isShownInMemoryByKind: Record<RoleTarget, (maps: Maps, actor: Actor, subject: AccessTarget) => boolean> = {
  space: isShownInMemory,
  site: ({ organization }, actor, { id }) => isSiteShownInMemory(organization, actor, id),
  collection: () => false,
};

/** The version is locked first, in the order of locks of all commands. */
const endOf = ({ accessLock }: AccessRequest) =>
  accessLock ? sql.raw(`${accessLock.version} of av ${accessLock.rows ?? ''}`) : NOTHING;

const NOTHING = sql``;

/** The maps of all organizations of the rows, in the versions of the rows. */
async function mapsOfRows(ctx: Context, rows: readonly AccessInputs[]): Promise<Map<string, Maps> | Undecided> {
  const mapsById = new Map<string, Maps>();
  for (const { accessOrganizationId: id, accessVersion } of rows) {
    if (mapsById.has(id)) continue;
    const maps = await mapsInVersion(ctx, id, accessVersion);
    if (typeof maps === 'string') return maps;
    mapsById.set(id, maps);
  }
  return mapsById;
}

function decideAccess({ actor }: Context, kind: RoleTarget, mapsById: Map<string, Maps>, row: AccessInputs): Access {
  const maps = mapsById.get(row.accessOrganizationId);
  if (!maps) throw new Error('decideAccess() found no access maps for the organization of a row.');
  const { accessId: id, accessOrganizationId: organizationId, accessLevel: level, accessParentId: parentId } = row;
  const subject = { id, organizationId, level, parentId };
  const access = {
    role: limitedRole(actor, kind, id, roleInMemory[kind](maps, subject)),
    isShown: isShownInMemoryByKind[kind](maps, actor, subject),
    isOnConditionalSite: kind === 'space' && isOnConditionalSiteInMemory(maps, actor, subject),
  };
  if (suffices(maps, actor, organizationId)) return access;
  return canReach(actor, organizationId) ? withoutSso(access) : { ...access, role: null };
}
