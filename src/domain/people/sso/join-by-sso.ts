import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context.ts';
import { lineFrom } from '../../../platform/cut-text.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids.ts';
import { holdAccess } from '../access/index.ts';
import type { SamlProviderRow } from './access.ts';
import type { Assertion } from './read-assertion.ts';
import { SamlError } from './saml-error.ts';

const MAX_NAME = 100;

/**
 * The user whom an identity provider has authenticated, as a member of its organization. Who is not a member joins with the
 * default role and team of the provider, and gets an account if the email address has none. The address does not become
 * verified, since only this organization vouches for it. Refuses disabled members, and new members of blocked organizations.
 */
export async function joinBySso(
  ctx: Context,
  provider: SamlProviderRow,
  { email, displayName }: Assertion,
): Promise<string> {
  await holdAccess(ctx, provider.organizationId);
  const userId = await userByEmail(ctx, email, lineFrom(displayName ?? email, MAX_NAME));
  const member = await ctx.db
    .selectFrom('membership')
    .where('organizationId', '=', provider.organizationId)
    .where('userId', '=', userId)
    .select(['id', 'isDisabled', 'isSso'])
    .executeTakeFirst();
  if (member?.isDisabled) throw new SamlError('Your membership in this organization is disabled.');
  if (!member) await join(ctx, provider, userId);
  else if (!member.isSso)
    await ctx.db.updateTable('membership').set({ isSso: true }).where('id', '=', member.id).execute();
  return userId;
}

async function userByEmail(ctx: Context, email: string, displayName: string): Promise<string> {
  const id = newId('user');
  const now = nowOf(ctx);
  await ctx.db
    .insertInto('user')
    .values({ id, email, displayName, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .execute();
  const found = await ctx.db
    .selectFrom('user')
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .select('id')
    .executeTakeFirstOrThrow();
  if (found.id === id) await recordEvent(ctx, { kind: 'user_created', organizationId: null, ids: { userId: id } });
  return found.id;
}

async function join(ctx: Context, provider: SamlProviderRow, userId: string): Promise<void> {
  const { organizationId, defaultRole, defaultTeamId } = provider;
  const organization = await ctx.db
    .selectFrom('organization')
    .where('id', '=', organizationId)
    .select('blocked')
    .executeTakeFirstOrThrow();
  if (organization.blocked) throw new SamlError('This organization is blocked. It takes no new members.');
  const memberId = newId('member');
  await ctx.db
    .insertInto('membership')
    .values({ id: memberId, organizationId, userId, role: defaultRole, isSso: true, joinedAt: nowOf(ctx) })
    .execute();
  await recordEvent(ctx, { kind: 'sso_member_added', organizationId, ids: { userId, memberId } });
  // The team may have been deleted.
  const team =
    defaultTeamId === null
      ? undefined
      : await ctx.db
          .selectFrom('team')
          .where('id', '=', defaultTeamId)
          .where('organizationId', '=', organizationId)
          .select('id')
          .executeTakeFirst();
  if (!team) return;
  await ctx.db
    .insertInto('team_member')
    .values({ teamId: team.id, userId, organizationId, addedAt: nowOf(ctx) })
    .onConflict((conflict) => conflict.columns(['teamId', 'userId']).doNothing())
    .execute();
}
