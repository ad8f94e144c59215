import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command } from '../../../platform/operation/operation.ts';
import { teamForChange, teamName, teamNameOf } from './access.ts';
import { teamTitle } from './create-team.ts';
import type { TeamRow } from './load.ts';
import { noteGroupChange } from './write-members.ts';

export const updateTeam = command({
  name: 'updateTeam',
  scope: 'admin',
  description: 'Renames a team. Requires being an owner of the team or an admin of the organization.',
  input: z.object({ ...teamName, title: teamTitle }),
  authorize: (ctx, ids) => teamForChange(ctx, teamNameOf(ids)),
  async run(ctx, { title, ...name }): Promise<TeamRow> {
    const team = await teamForChange(ctx, name);
    await renameTeam(ctx, team, title);
    return team;
  },
});

/** Renames a locked team, in the transaction of a command. */
export async function renameTeam(ctx: Context, team: TeamRow, title: string): Promise<void> {
  const changed = watchSettings(team, ['title']);
  team.title = title;
  await ctx.em.flush();
  await noteGroupChange(ctx, team);
  const { id: teamId, organizationId } = team;
  await recordEvent(ctx, { kind: 'team_updated', organizationId, ids: { teamId }, changes: changed() });
}
