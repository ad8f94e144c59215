import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command } from '../../../platform/operation/operation.ts';
import { role } from '../access/index.ts';
import { memberForChange, memberName, memberNameOf } from './access.ts';
import { assertAdministratorRemains } from './assert-administrator-remains.ts';
import type { MemberRow } from './load.ts';
import { endDisablingByScim } from './managed-by-scim.ts';
import { withdrawInvitesTo } from './withdraw-invites.ts';

export const updateMember = command({
  name: 'updateMember',
  scope: 'admin',
  description:
    'Changes the role of a member of an organization, or disables the member. Omitted fields keep their values. A role that you set applies to every sign-in, even if an identity provider gave the earlier role. ' +
    'CONFLICT if the organization would have no admin left.',
  input: z.object({
    ...memberName,
    role: role
      .nullish()
      .describe(
        'Role in the organization. If null, the member becomes a guest. Invitations and invite links that the member has made work only while the role allows the member to make them.',
      ),
    disabled: z
      .boolean()
      .optional()
      .describe(
        'Whether the member is disabled. Disabled members have no access, and keep their role and grants. Invitations and invite links that they made work again once they are enabled, if their role still allows them to make these; invitations to their address are withdrawn.',
      ),
  }),
  authorize: (ctx, ids) => memberForChange(ctx, memberNameOf(ids)),
  async run(ctx, { role: newRole, disabled, ...name }): Promise<MemberRow> {
    const member = await memberForChange(ctx, name);
    await changeMember(ctx, member, {
      role: newRole === undefined ? member.role : newRole,
      // The role is then an administrator's, also if a provider gave the same.
      roleProviderId: newRole === undefined ? member.roleProviderId : null,
      isDisabled: disabled ?? member.isDisabled,
    });
    if (disabled !== undefined) await endDisablingByScim(ctx, member);
    return member;
  },
});

/**
 * Changes the role of a locked member, or disables or enables it, in the transaction of a command that has locked the
 * access of the organization. Invitations to a member who is disabled are withdrawn. CONFLICT if no admin would be
 * left.
 */
export async function changeMember(
  ctx: Context,
  member: MemberRow,
  next: Pick<MemberRow, 'role' | 'roleProviderId' | 'isDisabled'>,
): Promise<void> {
  if (isSame(member, next)) return;
  await assertAdministratorRemains(ctx, member, next);
  if (next.isDisabled && !member.isDisabled) await withdrawInvitesTo(ctx, member);
  const changed = watchSettings(member, ['role', 'roleProviderId', 'isDisabled']);
  ctx.em.assign(member, next);
  await ctx.em.flush();
  const { id: memberId, organizationId, userId } = member;
  await recordEvent(ctx, { kind: 'member_updated', organizationId, ids: { memberId, userId }, changes: changed() });
}

const isSame = (member: MemberRow, next: Pick<MemberRow, 'role' | 'roleProviderId' | 'isDisabled'>) =>
  next.role === member.role && next.roleProviderId === member.roleProviderId && next.isDisabled === member.isDisabled;
