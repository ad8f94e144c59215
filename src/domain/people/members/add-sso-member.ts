import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { organizationFor, permissions } from '../access/index.ts';
import { isProved } from '../organizations/index.ts';
import { domainOfEmail } from '../users/index.ts';
import { lockOrganizationAccess } from './access.ts';
import { Membership } from './entity.ts';
import { joinAs } from './join.ts';
import type { MemberRow } from './load.ts';

const needed = permissions.addSsoMember.organization;

export const addSsoMember = command({
  name: 'addSsoMember',
  scope: 'admin',
  description:
    'Marks a user as an SSO member of an organization. A user who is not a member becomes one with the default role, if ' +
    'the verified email address of the user has an email domain that is verified for the organization. Events of the account ' +
    'are shown to the organization once the member agrees, see `inviteMembers`.',
  input: z.object({ organizationId: idOf('org'), userId: idOf('user') }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, userId }): Promise<MemberRow> {
    const { defaultRole } = await lockOrganizationAccess(ctx, organizationId, needed);
    const member = await lockEntity(ctx, Membership, { organizationId, userId });
    if (!member) {
      const email = await provedAddress(ctx, organizationId, userId);
      const joining = { organizationId, userId, role: defaultRole, isSso: true, email, isAccepted: false };
      return (await joinAs(ctx, joining)).member;
    }
    if (member.isSso) return member;
    const changed = watchSettings(member, ['isSso']);
    member.isSso = true;
    await ctx.em.flush();
    const ids = { memberId: member.id, userId };
    await recordEvent(ctx, { kind: 'member_updated', organizationId, ids, changes: changed() });
    return member;
  },
});

/**
 * The address of the user, whose domain the organization has verified. The error is the same for users who do not
 * exist.
 */
async function provedAddress(ctx: Context, organizationId: string, userId: string): Promise<string> {
  const user = await ctx.db.selectFrom('user').where('id', '=', userId).select('email').executeTakeFirst();
  const email = user?.email ?? null;
  if (email !== null && (await isProved(ctx, organizationId, domainOfEmail(email)))) return email;
  throw badInput(
    ['userId'],
    `"${userId}" is neither a member of this organization nor a user whose verified email address has a domain that is verified for the organization. Verify the domain with verifyEmailDomain, or invite the user.`,
  );
}
