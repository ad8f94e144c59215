import { sql } from 'kysely';
import { userIdOf } from '../../../platform/access/actor.ts';
import { atLeast, type Level } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { forbidden } from '../../../platform/errors.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { compareVersion } from '../../../platform/version.ts';
import { absent, blocked, type Lock } from './load.ts';
import type { OrganizationNeed } from './needs.ts';

/** The caller's place in an organization; a null role is a guest's. */
export interface OrganizationStanding {
  role: Level | null;
  ownsTeam: boolean;
}

export type OrganizationRow = Row<'organization'>;

const MINIMUM: Record<OrganizationNeed, Level | null> = {
  member: null,
  role: 'read',
  createContent: 'create',
  admin: 'admin',
};

/** The caller's standing in many organizations, in one statement; none where they are no member, or a disabled one. */
export const standingInOrganization = batchLoader<OrganizationStanding>('standing:organization', async (ctx, ids) => {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) return new Map();
  const { rows } = await sql<OrganizationStanding & { organizationId: string }>`
    select m.organization_id as "organizationId", m.role, ${ownsTeam(userId)} as "ownsTeam"
    from membership m
    where m.user_id = ${userId} and m.organization_id = any(${ids}::text[]) and not m.is_disabled`.execute(ctx.db);
  return new Map(rows.map(({ organizationId, ...standing }) => [organizationId, standing]));
});

/**
 * Refuses who does not administer the organization. For reading what its admins alone may see, which a blocked one lets
 * them do as well; batched.
 */
export async function administers(ctx: Context, organizationId: string): Promise<void> {
  const standing = await standingInOrganization(ctx, organizationId);
  if (!standing) throw absent(ctx, 'organization', organizationId);
  refuseWeaker(standing, 'admin');
}

/**
 * The organization, if the caller may do this to it. A blocked organization refuses everything beyond reading
 * (docs/decisions.md, Organizations).
 */
export async function organizationFor(
  ctx: Context,
  id: string,
  wanted: OrganizationNeed,
  lock?: Lock,
): Promise<OrganizationRow & OrganizationStanding> {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) throw absent(ctx, 'organization', id);
  // A statement of its own: one that waits for a lock sees the membership as it was before it waited.
  if (lock) await sql`select from organization where id = ${id} ${sql.raw(lock)}`.execute(ctx.db);
  const { rows } = await sql<OrganizationRow & OrganizationStanding>`
    select o.*, m.role, ${ownsTeam(userId)} as "ownsTeam"
    from organization o join membership m on m.organization_id = o.id and m.user_id = ${userId} and not m.is_disabled
    where o.id = ${id}`.execute(ctx.db);
  const [organization] = rows;
  if (!organization) throw absent(ctx, 'organization', id);
  refuseWeaker(organization, wanted);
  if (organization.blocked && MINIMUM[wanted] !== null && wanted !== 'role') throw blocked(organization.blocked.reason);
  return compareVersion(ctx, organization, { lock });
}

function refuseWeaker({ role }: OrganizationStanding, wanted: OrganizationNeed): void {
  const minimum = MINIMUM[wanted];
  if (minimum === null || atLeast(role, minimum)) return;
  throw forbidden(`This needs the role "${minimum}" in the organization; yours is "${role ?? 'guest'}".`);
}

const ownsTeam = (userId: string) => sql<boolean>`exists (
  select from team_member tm where tm.organization_id = m.organization_id and tm.user_id = ${userId} and tm.role = 'owner')`;
