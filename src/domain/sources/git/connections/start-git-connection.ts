import { z } from 'zod';
import { requireUserId, ssoOf } from '../../../../platform/access/actor.ts';
import { nowOf } from '../../../../platform/context/context.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { permissions } from '../../../people/access/index.ts';
import { spaceFor } from '../../../places/spaces/index.ts';
import { gitConnectionFor, gitConnectionForChange } from './access.ts';
import { gitSide } from './enums.ts';
import { startRun } from './start-run.ts';

const needed = permissions.startGitConnection.space;

export const startGitConnection = command({
  name: 'startGitConnection',
  scope: 'admin',
  description:
    'Starts the synchronization of a connected space: one side wins, and the content of the other one is kept as a revision of the space or as a commit in the history of the branch. Also settles a connection that waits for a decision. Later runs have your permissions.',
  input: z.object({
    spaceId: idOf('space'),
    side: gitSide.nullish().describe('Side that wins. Default: `initialSide` of the connection.'),
  }),
  authorize: (ctx, { spaceId = '' }) => gitConnectionFor(ctx, spaceId, needed),
  async run(ctx, { spaceId, side }) {
    const connection = await gitConnectionForChange(ctx, spaceId, needed);
    const { revisionId } = await spaceFor(ctx, spaceId, needed);
    const { id, organizationId } = connection;
    const wins = side ?? connection.initialSide;
    ctx.em.assign(connection, {
      initialSide: wins,
      state: 'active',
      stateDetail: null,
      stateSince: nowOf(ctx),
      isPaused: false,
      failureStreak: 0,
      keptRevisionId: wins === 'branch' ? revisionId : null,
      keptCommitOid: null,
      userId: requireUserId(ctx.actor),
      samlProviderId: ssoOf(ctx.actor)?.providerId ?? null,
      updatedAt: nowOf(ctx),
    });
    await ctx.em.flush();
    const direction = wins === 'branch' ? 'import' : 'export';
    const run = await startRun(ctx, connection, { direction, force: true });
    await recordEvent(ctx, { kind: 'git_connection_started', organizationId, spaceId, ids: { gitConnectionId: id } });
    return { connection: await gitConnectionFor(ctx, spaceId, needed), gitRun: run };
  },
});
