import { z } from 'zod';
import { requireOperator } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { lockAccess } from '../access/index.ts';
import { Membership } from '../members/index.ts';

export const setBreakGlass = command({
  name: 'setBreakGlass',
  scope: 'admin',
  description:
    'Exempts an admin of an organization from SSO where it is enforced, or ends the exemption. For accounts that restore access when the identity provider fails. Only for operators of the service. Has no effect for members with other roles.',
  input: z.object({
    organizationId: idOf('org'),
    userId: idOf('user'),
    breakGlass: z.boolean().describe('Whether the member is exempt from SSO for as long as the member is an admin.'),
  }),
  authorize: async (ctx) => operatorsOnly(ctx),
  async run(ctx, { organizationId, userId, breakGlass }): Promise<Row<'membership'>> {
    operatorsOnly(ctx);
    await lockAccess(ctx, organizationId);
    const member = await lockEntity(ctx, Membership, { organizationId, userId });
    if (!member) throw notFound('member', userId);
    const changed = watchSettings(member, ['isBreakGlass']);
    member.isBreakGlass = breakGlass;
    await ctx.em.flush();
    const ids = { userId, memberId: member.id };
    await recordEvent(ctx, { kind: 'break_glass_changed', organizationId, ids, changes: changed() });
    return member;
  },
  // Operators need not be able to load members of the organization.
  async readAgain(ctx, { id }) {
    operatorsOnly(ctx);
    const member = await ctx.db.selectFrom('membership').where('id', '=', id).selectAll().executeTakeFirst();
    if (!member) throw notFound('member', id);
    return member;
  },
});

function operatorsOnly({ actor }: Context): void {
  requireOperator(actor, 'exempt admins from SSO');
}
