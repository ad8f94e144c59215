import { sql } from 'kysely';
import { type Actor, canReach, onlySpacesOf, ssoOf, userIdOf } from '../../../platform/access/actor.ts';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import { type Context, takesLocks } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { type ApiError, forbidden } from '../../../platform/errors/errors.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import { entitiesById } from '../../../platform/reads/entity-loader.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { accessAdvisoryLock } from './access-advisory-lock.ts';
import { cachedMapsInVersion, type Maps, mapCallerOf, mapsOf } from './access-maps.ts';
import type { Lock } from './decide.ts';
import { notVisibleError, organizationBlockedError, ssoRequired } from './load.ts';
import { decideBeforeLocks, lockAccess } from './lock-access.ts';
import type { OrganizationPermission } from './permissions.ts';
import {
  countedRole,
  isActing,
  isEnabled,
  isWithin,
  requiresSso,
  roleFor,
  teamCountsFor,
} from './rule/acting-member.ts';
import { suffices } from './rule/memory-rule.ts';
import { organizationSeenBy } from './seen-organization.ts';

/**
 * The caller's membership in an organization, with the role that counts for the caller (`roleFor`). Null for guests, and for
 * applications that are limited to spaces.
 */
export interface OrganizationAccess {
  role: Role | null;
  ownsTeam: boolean;
}

export type OrganizationRow = Row<'organization'>;

const MINIMUM: Record<OrganizationPermission, Role | null> = {
  reach: null,
  member: null,
  role: 'read',
  createContent: 'create',
  admin: 'admin',
};

/** The caller's membership by the id of the organization, batched. Undefined for non-members and disabled members. */
export const accessInOrganization = batchLoader<OrganizationAccess>('access:organization', async (ctx, ids) => {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) return new Map();
  const rows = await ctx.db
    .selectFrom('membership as m')
    .where('m.organizationId', '=', anyOf(ids))
    .where(isActing(ctx.actor, 'm'))
    .select(['m.organizationId', roleFor(ctx.actor, 'm').as('role'), ownsTeam(ctx.actor)])
    .execute();
  return new Map(rows.map(({ organizationId, ...access }) => [organizationId, access]));
});

/**
 * The role in an organization that the caller's roles on its content come from, batched: also for applications that are limited to
 * spaces, which do not have it themselves. Undefined for callers who are not within the organization.
 */
export const underlyingRole = batchLoader<{ role: Role | null }>('access:underlying', async (ctx, ids) => {
  if (userIdOf(ctx.actor) === undefined) return new Map();
  const rows = await ctx.db
    .selectFrom('membership as m')
    .where('m.organizationId', '=', anyOf(ids))
    .where(isWithin(ctx.actor, 'm'))
    .select(['m.organizationId', countedRole(ctx.actor, 'm').as('role')])
    .execute();
  return new Map(rows.map(({ organizationId, role }) => [organizationId, { role }]));
});

/** The error for an organization in which the caller does not act: FORBIDDEN if only SSO is missing. */
export async function noOrganizationAccessError(ctx: Context, organizationId: string): Promise<ApiError> {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined || ssoOf(ctx.actor) || !canReach(ctx.actor, organizationId))
    return notVisibleError(ctx, 'organization', organizationId);
  const membership = await ctx.db
    .selectFrom('membership as m')
    .where('m.organizationId', '=', organizationId)
    .where('m.userId', '=', userId)
    .where(sql.raw<boolean>(isEnabled('m')))
    .where(sql.raw<boolean>(requiresSso('m')))
    .select('m.id')
    .executeTakeFirst();
  return membership ? ssoRequired() : notVisibleError(ctx, 'organization', organizationId);
}

/** Throws unless the caller is an admin of the organization. For reading, which a blocked organization allows. Batched. */
export async function administers(ctx: Context, organizationId: string): Promise<void> {
  const access = await accessInOrganization(ctx, organizationId);
  if (!access) throw await noOrganizationAccessError(ctx, organizationId);
  rejectWeaker(access, 'admin');
}

const readOrganizations = entitiesById<OrganizationRow & { accessVersion: string }>('Organization', {
  populate: ['accessVersion'],
});

const TRIES = 2;

/**
 * An organization that the caller is within, with the membership, for reads outside of transactions. Requests share the
 * statement, and the membership is decided on maps of the same moment. Null if there is none; undefined where the maps do
 * not fit.
 */
async function decidedOrganization(
  ctx: Context,
  id: string,
): Promise<(OrganizationRow & OrganizationAccess) | null | undefined> {
  const caller = mapCallerOf(ctx.actor);
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const row = (await readOrganizations(ctx, [id])).get(id);
    if (!row) return null;
    const { accessVersion: version } = row;
    const maps =
      cachedMapsInVersion(ctx.services, id, caller, version) ?? (await mapsOf(ctx.services, id, caller, version));
    if (maps && 'isTooLarge' in maps) return undefined;
    if (maps?.organization.version === version) return acting(ctx, row, maps);
  }
  return undefined;
}

/** The organization with the caller's membership. Null if the caller is not within it: the rule of `isWithin` on maps. */
function acting({ actor }: Context, row: OrganizationRow, maps: Maps): (OrganizationRow & OrganizationAccess) | null {
  const { member } = maps;
  if (!member?.isMember || !suffices(maps, actor, row.id)) return null;
  return seenBy(actor, { ...row, role: member.role, ownsTeam: member.ownsTeam });
}

type Membered = OrganizationRow & OrganizationAccess;

const seenBy = (actor: Actor, organization: Membered): Membered =>
  onlySpacesOf(actor) === undefined
    ? organization
    : { ...organizationSeenBy(actor, organization), role: null, ownsTeam: false };

/**
 * Organizations by id that the caller is within, with the membership: those in which the caller acts, and those of the spaces that
 * an application is limited to, as it sees them.
 */
export async function organizationsOf(
  ctx: Context,
  ids: readonly string[],
): Promise<(OrganizationRow & OrganizationAccess)[]> {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) return [];
  const [id] = ids;
  // The maps of several organizations would take two statements for each.
  if (id !== undefined && ids.length === 1 && !ctx.inTransaction) {
    const decided = await decidedOrganization(ctx, id);
    if (decided !== undefined) return decided ? [decided] : [];
  }
  const rows = await ctx.db
    .selectFrom('organization as o')
    .where('o.id', '=', anyOf(ids))
    .innerJoin('membership as m', 'm.organizationId', 'o.id')
    .where(isWithin(ctx.actor, 'm'))
    .selectAll('o')
    .select([roleFor(ctx.actor, 'm').as('role'), ownsTeam(ctx.actor)])
    .execute();
  return rows.map((row) => seenBy(ctx.actor, row));
}

/**
 * The organization, if the caller has the permission. A blocked organization only allows reading. For applications
 * that are limited to spaces, it is absent unless the operation names what it is open to them for: `reach`.
 */
export async function organizationFor(
  ctx: Context,
  id: string,
  permission: OrganizationPermission,
  lock?: Lock,
): Promise<OrganizationRow & OrganizationAccess> {
  if (userIdOf(ctx.actor) === undefined) throw notVisibleError(ctx, 'organization', id);
  // A separate statement, since a statement that waits for a lock reads the membership as it was before it waited.
  if (takesLocks(ctx)) {
    await sql`
      select ${sql.raw(accessAdvisoryLock('o.id', 'for share'))}
      from organization o join access_version av on av.organization_id = o.id
      where o.id = ${id} for share of av ${sql.raw(lock ? `${lock} of o` : '')}`.execute(ctx.db);
  }
  const [organization] = await organizationsOf(ctx, [id]);
  if (!organization || (permission !== 'reach' && onlySpacesOf(ctx.actor)))
    throw await noOrganizationAccessError(ctx, id);
  rejectWeaker(organization, permission);
  if (organization.blocked && MINIMUM[permission] !== null && permission !== 'role')
    throw organizationBlockedError(organization.blocked.reason);
  return recordVersion(ctx, organization, { lock });
}

/** `organizationFor` for commands that change access: also locks the access of the organization. */
export const organizationForAccess = (
  ctx: Context,
  id: string,
  permission: OrganizationPermission,
  lock?: Lock,
): Promise<OrganizationRow & OrganizationAccess> =>
  decideBeforeLocks(ctx, async (deciding) => {
    await lockAccess(deciding, id);
    return organizationFor(deciding, id, permission, lock);
  });

function rejectWeaker({ role }: OrganizationAccess, permission: OrganizationPermission): void {
  const minimum = MINIMUM[permission];
  if (minimum === null || atLeast(role, minimum)) return;
  throw forbidden(
    `This operation requires the role "${minimum}" in the organization. Your role is "${role ?? 'guest'}".`,
  );
}

/** Whether the user of the membership `m` owns a team of its organization. */
const ownsTeam = (actor: Actor) =>
  sql<boolean>`exists (
    select from team_member tm
    where tm.organization_id = m.organization_id and tm.user_id = m.user_id and tm.role = 'owner'
      and ${teamCountsFor(actor, 'tm')})`.as('ownsTeam');
