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
import type { Maps, Undecided } from './access-maps.ts';
import type { Lock } from './decide.ts';
import { decideOnMaps, mapsInVersion } from './decide-on-maps.ts';
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
 * The caller's membership in an organization, with the role that counts for the caller (`roleFor`). Null for guests,
 * and for applications that are limited to spaces.
 */
export interface OrganizationAccess {
  role: Role | null;
  ownsTeam: boolean;
}

export type OrganizationRow = Row<'organization'>;

type OrganizationWithAccess = OrganizationRow & OrganizationAccess;

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
 * The role in an organization that the caller's roles on its content come from, batched: also for applications that are
 * limited to spaces, which do not have it themselves. Undefined for callers who are not within the organization.
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

/** Throws unless the caller has a role in the organization. For reading lists, batched. */
export async function assertHasRole(ctx: Context, organizationId: string): Promise<void> {
  const access = await accessInOrganization(ctx, organizationId);
  if (!access) throw notVisibleError(ctx, 'organization', organizationId);
  if (!atLeast(access.role, 'read')) await organizationFor(ctx, organizationId, 'role');
}

/**
 * Throws unless the caller is an admin of the organization. For reading, which a blocked organization allows. Batched.
 */
export async function assertAdmin(ctx: Context, organizationId: string): Promise<void> {
  const access = await accessInOrganization(ctx, organizationId);
  if (!access) throw await noOrganizationAccessError(ctx, organizationId);
  rejectWeaker(access, 'admin');
}

const readOrganizations = entitiesById<OrganizationRow & { accessVersion: string }>('Organization', {
  populate: ['accessVersion'],
});

/**
 * The organization with the caller's membership. Null if the caller is not within it: the rule of `isWithin` on maps.
 */
function asMember({ actor }: Context, row: OrganizationRow, maps: Maps): OrganizationWithAccess | null {
  const { member } = maps;
  if (!member?.isMember || !suffices(maps, actor, row.id)) return null;
  return seenBy(actor, { ...row, role: member.role, ownsTeam: member.ownsTeam });
}

const seenBy = (actor: Actor, organization: OrganizationWithAccess): OrganizationWithAccess =>
  onlySpacesOf(actor) === undefined
    ? organization
    : { ...organizationSeenBy(actor, organization), role: null, ownsTeam: false };

/**
 * Organizations by id that the caller is within, with the membership: those in which the caller acts, and those of the
 * spaces that an application is limited to, as it sees them.
 */
export async function organizationsOf(ctx: Context, ids: readonly string[]): Promise<OrganizationWithAccess[]> {
  if (userIdOf(ctx.actor) === undefined) return [];
  const inSql = () => organizationsInSql(ctx, ids);
  const [id] = ids;
  // The maps of several organizations would take two statements for each.
  if (id === undefined || ids.length > 1) return inSql();
  return decideOnMaps(ctx, { onMaps: () => organizationOnMaps(ctx, id), inSql });
}

/** The organization, if the caller is within it. Requests share the statement. */
async function organizationOnMaps(
  ctx: Context,
  id: string,
): Promise<{ decided: OrganizationWithAccess[] } | Undecided> {
  const row = (await readOrganizations(ctx, [id])).get(id);
  if (!row) return { decided: [] };
  const maps = await mapsInVersion(ctx, id, row.accessVersion);
  if (typeof maps === 'string') return maps;
  const organization = asMember(ctx, row, maps);
  return { decided: organization ? [organization] : [] };
}

async function organizationsInSql(ctx: Context, ids: readonly string[]): Promise<OrganizationWithAccess[]> {
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
): Promise<OrganizationWithAccess> {
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
): Promise<OrganizationWithAccess> =>
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
