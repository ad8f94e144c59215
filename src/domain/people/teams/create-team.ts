import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { nameText } from '../../../platform/shapes/text.ts';
import { organizationFor, organizationForAccess, permissions } from '../access/index.ts';
import { callerId, rejectNonMembers } from './access.ts';
import type { TeamRow } from './load.ts';

const needed = permissions.createTeam.organization;

export const MAX_MEMBERS_AT_ONCE = 1_000;

export const teamTitle = nameText(64).describe('Name of the team, 1 to 64 characters.');

export const createTeam = command({
  name: 'createTeam',
  scope: 'admin',
  description: 'Creates a team in an organization. You become its owner.',
  input: z.object({
    organizationId: idOf('org'),
    title: teamTitle,
    userIds: z
      .array(idOf('user'))
      .max(MAX_MEMBERS_AT_ONCE)
      .nullish()
      .describe('IDs of up to 1,000 members of the organization who become members of the team.'),
  }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, title, userIds }): Promise<TeamRow> {
    await organizationForAccess(ctx, organizationId, needed);
    const others = [...new Set(userIds ?? [])].filter((userId) => userId !== callerId(ctx));
    await rejectNonMembers(ctx, organizationId, userIds ?? [], (index) => ['userIds', index]);
    const team = await insertTeam(ctx, { organizationId, title });
    const shared = { teamId: team.id, organizationId, addedAt: team.createdAt };
    await ctx.db
      .insertInto('team_member')
      .values([
        { ...shared, userId: callerId(ctx), role: 'owner' as const },
        ...others.map((userId) => ({ ...shared, userId, role: 'member' as const })),
      ])
      .execute();
    return team;
  },
});

/** Inserts a team without members, in the transaction of a command that has locked the access of the organization. */
export async function insertTeam(
  ctx: Context,
  { organizationId, title }: Pick<TeamRow, 'organizationId' | 'title'>,
): Promise<TeamRow> {
  const team = await ctx.db
    .insertInto('team')
    .values({ id: newId('team'), organizationId, title, createdAt: nowOf(ctx) })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordEvent(ctx, { kind: 'team_created', organizationId, ids: { teamId: team.id } });
  return team;
}
