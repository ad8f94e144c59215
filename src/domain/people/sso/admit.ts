import { type Context, nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { isManagedByScim } from '../members/index.ts';
import { isProvisioned } from '../organizations/index.ts';
import { noteGroupChanges } from '../teams/index.ts';
import type { ProviderRow } from './access.ts';
import type { SsoSubject } from './entity.ts';
import { setClaimedTeams } from './set-claimed-teams.ts';
import { SignInError } from './sign-in-error.ts';

type Provider = Pick<ProviderRow, 'id' | 'organizationId' | 'defaultRole' | 'defaultTeamId'>;

/**
 * Admits a user to the organization of a provider, and returns the user's id. A new member gets the provider's default
 * role and team, which count for sign-ins with it. Refuses disabled members, new members of blocked organizations and,
 * where SCIM manages members, all new members. Keeps an address that SCIM gave. Sets the teams of the provider's groups
 * at each sign-in. The caller has locked the access of the organization.
 */
export async function admit(ctx: Context, provider: Provider, userId: string, person: SsoSubject): Promise<string> {
  const { email, teamIds } = person;
  const member = await ctx.db
    .selectFrom('membership as m')
    .where('m.organizationId', '=', provider.organizationId)
    .where('m.userId', '=', userId)
    .leftJoin('scim_user as s', (on) =>
      on.onRef('s.organizationId', '=', 'm.organizationId').onRef('s.userId', '=', 'm.userId'),
    )
    .select(['m.id', 'm.isDisabled', 'm.isSso', 'm.isAccepted', 'm.email', 's.userName'])
    .executeTakeFirst();
  if (member?.isDisabled) throw new SignInError('Your membership in this organization is disabled.');
  if (!member) await join(ctx, provider, userId, email);
  else await noteAddress(ctx, member, email);
  if (teamIds) await setClaimedTeams(ctx, provider, userId, teamIds);
  return userId;
}

/**
 * The address of a member is the one that the provider asserts, or that SCIM gave. Signing in agrees to the membership.
 */
async function noteAddress(
  { db }: Context,
  member: { id: string; isSso: boolean; isAccepted: boolean; email: string | null; userName: string | null },
  asserted: string,
): Promise<void> {
  const email = member.userName === null ? asserted : member.email;
  if (member.isSso && member.isAccepted && member.email === email) return;
  await db
    .updateTable('membership')
    .set({ isSso: true, isAccepted: true, email })
    .where('id', '=', member.id)
    .execute();
}

async function join(ctx: Context, provider: Provider, userId: string, email: string): Promise<void> {
  const { id: providerId, organizationId, defaultRole, defaultTeamId } = provider;
  const organization = await ctx.db
    .selectFrom('organization')
    .where('id', '=', organizationId)
    .select('blocked')
    .executeTakeFirstOrThrow();
  if (organization.blocked) throw new SignInError('This organization is blocked and cannot take new members.');
  await rejectProvisioned(ctx, organizationId, email);
  const memberId = newId('member');
  await ctx.db
    .insertInto('membership')
    .values({
      id: memberId,
      organizationId,
      userId,
      role: defaultRole,
      roleProviderId: defaultRole === null ? null : providerId,
      isSso: true,
      email,
      joinedAt: nowOf(ctx),
    })
    .execute();
  await recordEvent(ctx, { kind: 'sso_member_added', organizationId, ids: { userId, memberId } });
  if (defaultTeamId !== null) await joinTeam(ctx, provider, userId, defaultTeamId);
}

/**
 * Where SCIM makes the members, signing in makes none. A second account of a person would keep access when SCIM
 * deactivates the first.
 */
async function rejectProvisioned(ctx: Context, organizationId: string, email: string): Promise<void> {
  if (await isManagedByScim(ctx, { organizationId, email }))
    throw new SignInError(
      `Your identity provider says that you are ${email}. A member with this address exists, but another person has signed in as this member, or its user name differs at the identity provider. Ask an administrator of your organization to correct the member through SCIM.`,
    );
  if (await isProvisioned(ctx, organizationId))
    throw new SignInError(
      `No member of your organization has the address ${email}. Members are created by SCIM. Ask an administrator to assign you to this application at the identity provider, with this address.`,
    );
}

/** Adds a new member to the default team, unless it was deleted. */
async function joinTeam(ctx: Context, provider: Provider, userId: string, teamId: string): Promise<void> {
  const { id: providerId, organizationId } = provider;
  const team = await ctx.db
    .selectFrom('team')
    .where('id', '=', teamId)
    .where('organizationId', '=', organizationId)
    .select('id')
    .executeTakeFirst();
  if (!team) return;
  await ctx.db
    .insertInto('team_member')
    .values({ teamId, userId, organizationId, samlProviderId: providerId, addedAt: nowOf(ctx) })
    .onConflict((conflict) => conflict.columns(['teamId', 'userId']).doNothing())
    .execute();
  await noteGroupChanges(ctx, [teamId]);
}
