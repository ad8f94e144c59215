import { z } from 'zod';
import { hasScope } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { entityFromRow } from '../../../platform/database/entity-from-row.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { organizationFor, permissions, teamCountsFor } from '../access/index.ts';
import { signAs } from '../signing-keys/index.ts';
import { memberFor } from './access.ts';
import { Membership } from './entity.ts';
import type { MemberRow } from './load.ts';

const needed = permissions.pingOrganization.organization;

const VALID_SECONDS = 3_600;
/** Frontends ping often. The time of the last activity is accurate to the minute. */
const STEP_MS = 60_000;

export const pingOrganization = command({
  name: 'pingOrganization',
  scope: 'read',
  description:
    'Records that you are active in an organization, and that you agree to a membership that an administrator has made, for which an access token needs the scope `write`. SSO members get a token with claims about themselves, unless their access token is restricted to scopes: a JWT that is ' +
    'valid for an hour. `GET /v1/orgs/{organizationId}/jwks.json` has the keys to verify it.',
  input: z.object({ organizationId: idOf('org') }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId }): Promise<{ member: MemberRow; visitorClaims: string | null }> {
    const { role } = await organizationFor(ctx, organizationId, needed);
    const userId = ctx.actor.kind === 'user' ? ctx.actor.userId : '';
    const member = entityFromRow(ctx, Membership, await memberFor(ctx, { organizationId, userId }));
    const now = nowOf(ctx);
    const isRecent = member.lastSeenAt !== null && Date.parse(now) - Date.parse(member.lastSeenAt) < STEP_MS;
    if (!isRecent) member.lastSeenAt = now;
    // Agreeing is more than reading.
    if (hasScope(ctx.actor, 'write')) member.isAccepted = true;
    await ctx.em.flush();
    // A restricted token proves no account, so that nothing is signed for it.
    const provesAccount = ctx.actor.kind === 'user' && ctx.actor.scopes === undefined;
    const visitorClaims = member.isSso && provesAccount ? await claimsOf(ctx, { ...member, role }) : null;
    return { member, visitorClaims };
  },
  shownOnce: ['visitorClaims'],
});

/**
 * Standard claims of OpenID Connect Core 1.0 (5.1), with the address, the role and the teams in the organization that
 * count for the caller.
 */
async function claimsOf(ctx: Context, { organizationId, userId, role, email }: MemberRow): Promise<string> {
  const user = await ctx.db.selectFrom('user').where('id', '=', userId).selectAll().executeTakeFirstOrThrow();
  const teams = await ctx.db
    .selectFrom('team_member')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .where(teamCountsFor(ctx.actor, 'team_member'))
    .orderBy('teamId')
    .select('teamId')
    .limit(100)
    .execute();
  const claims = {
    sub: userId,
    name: user.displayName,
    email: email ?? user.email ?? undefined,
    email_verified: user.email !== null && (email ?? user.email).toLowerCase() === user.email.toLowerCase(),
    organization: organizationId,
    role: role ?? 'guest',
    teams: teams.map(({ teamId }) => teamId),
  };
  return signAs(ctx, organizationId, claims, { seconds: VALID_SECONDS });
}
