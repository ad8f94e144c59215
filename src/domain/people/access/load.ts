import { visitsOf } from '../../../platform/access/actor.ts';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import { type Context, takesLocks } from '../../../platform/context/context.ts';
import { forbidden, notFound, unauthenticated } from '../../../platform/errors/errors.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import {
  type Access,
  type AccessInputs,
  type AccessLock,
  cachedCollectionAccess,
  type DecidedAccess,
  decideFromCache,
  type Lock,
} from './decide.ts';
import { parentOf } from './parent-of.ts';
import { readAccess, resourceRows } from './resource-rows.ts';
import type { RoleTarget } from './rule/sql-rule.ts';

/** Whether the caller can see the resource at all. */
export const isVisible = ({ role, isShown }: Access) => isShown || atLeast(role, 'read');

/**
 * The caller's access to resources of each kind, batched. Also adds their parents to `parentOf`. Undefined for
 * resources that do not exist.
 */
export const accessLoader = {
  space: batchLoader<Access>('access:space', (ctx, ids) => readAccesses(ctx, 'space', ids)),
  collection: batchLoader<Access>('access:collection', (ctx, ids) => readAccesses(ctx, 'collection', ids)),
  site: batchLoader<Access>('access:site', (ctx, ids) => readAccesses(ctx, 'site', ids)),
};

/** The caller's access to a row, and whether the organization is blocked. */
export interface Loaded extends DecidedAccess {
  /** Why the organization is read-only. Null if it is not. */
  blockedReason: string | null;
}

/**
 * Whether the caller sees all of a space that it can see: by a role, not only what a published site shows. Batched.
 * True in commands, which require a role.
 */
export async function hasRoleToRead(ctx: Context, spaceId: string): Promise<boolean> {
  if (ctx.inTransaction) return true;
  return atLeast((await accessLoader.space(ctx, spaceId))?.role, 'read');
}

/**
 * Whether the sites that show the caller the space, by visits or to everyone, have conditions in their structure.
 * Batched.
 */
export const isOnConditionalSite = async (ctx: Context, spaceId: string): Promise<boolean> =>
  (await accessLoader.space(ctx, spaceId))?.isOnConditionalSite === true;

/** How a command holds what it loads until it ends. */
export interface LockOptions {
  /** Lock of the row. */
  lock?: Lock | undefined;
  /** The command changes what decisions about access read (`decides`). Callers decide in `decideBeforeLocks`. */
  changesAccess?: boolean | undefined;
}

/** The locks of a command on a row and on the access that it decides on. Undefined for reads without locks. */
export function accessLockFor(ctx: Context, row: string, { lock, changesAccess }: LockOptions): AccessLock | undefined {
  if (!takesLocks(ctx)) return undefined;
  return {
    version: changesAccess ? 'for no key update' : 'for share',
    ...(lock && { rows: `${lock} of ${row}` }),
  };
}

/** What a request can contain to see a resource without a role. */
export interface ShareCredentials {
  /**
   * Key of a share link of a site. The request fails if the link does not admit to the resource, even if the caller
   * sees it anyway.
   */
  shareKey?: string | null | undefined;
}

/** Loads a row with the caller's access to it, and locks it if `lock` is set. Undefined if it does not exist. */
export async function loadWithAccess<Row extends object>(
  ctx: Context,
  kind: RoleTarget,
  id: string,
  locks: LockOptions = {},
): Promise<(Row & Loaded) | undefined> {
  const [row] = await resourceRows<Row>(ctx, { kind, ids: [id], accessLock: accessLockFor(ctx, 'r', locks) });
  if (row) primeAccess(ctx, kind, [[id, row]]);
  return row;
}

/**
 * Adds the access to rows and to their parents to the loaders, by the ids of the rows, so that they are not read again.
 */
export function primeAccess(
  ctx: Context,
  kind: RoleTarget,
  accesses: readonly (readonly [id: string, access: DecidedAccess])[],
): void {
  // Commands may change the access, so that it must be read again after them.
  if (ctx.inTransaction) return;
  for (const [id, access] of accesses) accessLoader[kind].prime(ctx, id, toAccess(access));
  primeParents(ctx, accesses);
}

/**
 * A row of a list that also selects the parent as `accessParentId`. Lists read the version of the access beside their
 * rows.
 */
interface ListedRow {
  id: string;
  organizationId: string;
  defaultLevel: Role | null;
  accessParentId?: string | null;
  accessVersion?: string;
}

/**
 * Adds the access to rows of a list, and their parents, to the loaders. It is decided on the maps of this process that
 * have the version of the rows. Without such maps, the loaders read it.
 */
export function primeListedAccess(ctx: Context, kind: RoleTarget, rows: readonly ListedRow[]): void {
  if (ctx.inTransaction) return;
  const inputs = rows.flatMap(({ id, organizationId, defaultLevel, accessParentId, accessVersion }) =>
    accessParentId === undefined || accessVersion === undefined
      ? []
      : {
          accessId: id,
          accessOrganizationId: organizationId,
          accessLevel: defaultLevel,
          accessParentId,
          accessVersion,
        },
  );
  const accesses = decideFromCache(ctx, kind, inputs);
  if (!accesses) return;
  primeAccess(
    ctx,
    kind,
    accesses.map((access, index) => {
      const input = inputs[index] as AccessInputs; // one for each
      return [input.accessId, { ...input, ...access }];
    }),
  );
}

/** Adds the parents of rows, and the access to those that are collections: it is decided on the version of the row. */
function primeParents(ctx: Context, rows: readonly (readonly [id: string, row: DecidedAccess])[]): void {
  const collections = new Map<string, { organizationId: string; version: string }>();
  for (const [id, { accessParentId: parentId, accessOrganizationId: organizationId, accessVersion: version }] of rows) {
    if (parentId == null || organizationId === undefined) continue;
    parentOf.prime(ctx, id, parentId === organizationId ? null : parentId);
    if (parentId !== organizationId) collections.set(parentId, { organizationId, version });
  }
  for (const [id, { organizationId, version }] of collections) {
    const access = cachedCollectionAccess(ctx, id, organizationId, version);
    if (access) accessLoader.collection.prime(ctx, id, toAccess(access));
  }
}

/**
 * Returns the row if the caller has the required access. Otherwise throws: NOT_FOUND if the row does not exist or is
 * hidden (UNAUTHENTICATED without a token), or if a share key does not admit a caller without a role; FORBIDDEN if the
 * role is too low, if the organization requires SSO, or if a blocked organization would be changed.
 */
export function authorize<Row extends Access & { blockedReason?: string | null }>(
  ctx: Context,
  row: Row | undefined,
  target: { what: string; id: string } & ShareCredentials,
  required: Role | 'view',
): Row {
  rejectWrongKey(ctx, row, target);
  if (!row || !isVisible(row)) throw row?.needsSso ? ssoRequired() : notVisibleError(ctx, target.what, target.id);
  if (required === 'view') return row;
  if (!atLeast(row.role, required)) {
    if (row.needsSso) throw ssoRequired();
    if (ctx.actor.kind === 'anonymous') throw unauthenticated();
    throw forbidden(
      `This operation requires the role "${required}" on the ${target.what}. Your role is "${row.role ?? 'none'}".`,
    );
  }
  if (row.blockedReason && required !== 'read') throw organizationBlockedError(row.blockedReason);
  return row;
}

function rejectWrongKey(
  { actor }: Context,
  row: Access | undefined,
  { what, id, shareKey }: { what: string; id: string } & ShareCredentials,
): void {
  if (shareKey == null || atLeast(row?.role, 'read')) return;
  const isAdmitted = visitsOf(actor).some(
    (visit) => visit.shareKey === shareKey && (visit.siteId === id || visit.spaceIds.has(id)),
  );
  if (!isAdmitted) throw notFound(what, id);
}

/** The error of changes to a blocked organization. */
export const organizationBlockedError = (reason: string) =>
  forbidden(`This organization is blocked: ${reason}. It can be read but not changed.`);

/** The error for members who have not signed in with SSO where it is enforced. */
export const ssoRequired = () =>
  forbidden(
    'This organization requires SSO. Sign in at a start URL of its SSO logins (`GET /v1/orgs/{organizationId}/sso`), and use that session, or an access token or application of it.',
  );

/** The error for a resource that does not exist or is hidden from the caller. */
export const notVisibleError = (ctx: Context, what: string, id: string) =>
  ctx.actor.kind === 'anonymous' ? unauthenticated() : notFound(what, id);

async function readAccesses(ctx: Context, kind: RoleTarget, ids: string[]): Promise<Map<string, Access>> {
  const rows = await readAccess(ctx, { kind, ids });
  if (!ctx.inTransaction)
    primeParents(
      ctx,
      rows.map((row) => [row.accessId, row]),
    );
  return new Map(rows.map((row) => [row.accessId, toAccess(row)]));
}

/** The access that was decided for a row, without what it was decided on. */
const toAccess = ({ role, isShown, isOnConditionalSite }: Access): Access => ({
  role,
  isShown,
  isOnConditionalSite,
});

/** The access to something that does not exist. */
export const NO_ACCESS: Access = { role: null, isShown: false, isOnConditionalSite: false };
