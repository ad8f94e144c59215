import { z } from 'zod';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { teamForChange, teamName, teamNameOf } from './access.ts';
import { teamTitle } from './create-team.ts';
import type { TeamRow } from './load.ts';

export const updateTeam = command({
  name: 'updateTeam',
  description: 'Renames a team. Requires being an owner of the team or an admin of the organization.',
  input: z.object({ ...teamName, title: teamTitle }),
  authorize: (ctx, ids) => teamForChange(ctx, teamNameOf(ids)),
  async run(ctx, { title, ...name }): Promise<TeamRow> {
    const { id, organizationId } = await teamForChange(ctx, name);
    const updated = await ctx.db
      .updateTable('team')
      .set({ title })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordEvent(ctx, { kind: 'team_updated', organizationId, ids: { teamId: id } });
    return updated;
  },
});
