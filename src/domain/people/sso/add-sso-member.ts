import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { badInput } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { holdAccess, organizationFor, permissions } from '../access/index.ts';
import { emailOf } from '../users/index.ts';

const needed = permissions.addSsoMember.organization;

export const addSsoMember = command({
  name: 'addSsoMember',
  description:
    'Marks a member as one who signs in with SSO. A user who shares another organization with you and is not a member yet becomes one, with the default role of the organization.',
  input: z.object({ organizationId: idOf('org'), userId: idOf('user') }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, userId }): Promise<Row<'membership'>> {
    await holdAccess(ctx, organizationId);
    const { defaultRole } = await organizationFor(ctx, organizationId, needed, 'for no key update');
    const member =
      (await markMember(ctx, organizationId, userId)) ??
      (await addMember(ctx, { organizationId, userId, defaultRole }));
    await recordEvent(ctx, { kind: 'sso_member_added', organizationId, ids: { userId, memberId: member.id } });
    return member;
  },
});

const markMember = ({ db }: Context, organizationId: string, userId: string) =>
  db
    .updateTable('membership')
    .set({ isSso: true })
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst();

async function addMember(
  ctx: Context,
  {
    organizationId,
    userId,
    defaultRole,
  }: { organizationId: string; userId: string; defaultRole: Row<'membership'>['role'] },
): Promise<Row<'membership'>> {
  if ((await emailOf(ctx, userId)) === undefined) {
    throw badInput(['userId'], `"${userId}" is not a user that you can see.`);
  }
  return ctx.db
    .insertInto('membership')
    .values({ id: newId('member'), organizationId, userId, role: defaultRole, isSso: true, joinedAt: nowOf(ctx) })
    .returningAll()
    .executeTakeFirstOrThrow();
}
