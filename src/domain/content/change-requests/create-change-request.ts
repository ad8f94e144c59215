import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { lineOf } from '../../../platform/text.ts';
import { accessInOrganization, blocked, permissions } from '../../people/access/index.ts';
import { loadOrganization } from '../../people/organizations/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import type { ChangeRequestRow } from './access.ts';

const needed = permissions.createChangeRequest.space;

export const createChangeRequest = command({
  name: 'createChangeRequest',
  description:
    'Creates a draft change request in a space. It starts with the primary content of the space, which can then be edited and ' +
    'merged. Works on locked spaces too. The time it takes does not depend on the size of the space.',
  input: z.object({
    spaceId: idOf('space'),
    subject: lineOf(0, 100)
      .nullish()
      .describe('Subject of the change request, up to 100 characters. Empty by default.'),
    agentTaskId: lineOf(0, 255)
      .nullish()
      .describe(
        'ID of the agent task that creates the change request, up to 255 characters. Stored, but without effect.',
      ),
    issuesClusterId: idOf('cluster')
      .nullish()
      .describe('ID of the cluster of issues that the change request is created for.'),
  }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, needed),
  async run(ctx, { spaceId, subject, agentTaskId, issuesClusterId }): Promise<ChangeRequestRow> {
    const space = await spaceFor(ctx, spaceId, needed, { lock: 'for no key update' });
    const createdBy = requireUserId(ctx.actor);
    await rejectBlocked(ctx, space.organizationId);
    if (issuesClusterId != null) await rejectUnknownCluster(ctx, space.organizationId, issuesClusterId);
    const now = nowOf(ctx);
    const changeRequest = await ctx.db
      .insertInto('change_request')
      .values({
        id: newId('cr'),
        organizationId: space.organizationId,
        spaceId,
        number: await nextNumber(ctx, spaceId),
        subject: subject ?? '',
        revisionId: space.revisionId,
        revisionInitialId: space.revisionId,
        agentTaskId: agentTaskId ?? null,
        issuesClusterId: issuesClusterId ?? null,
        createdBy,
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const ids = { changeRequestId: changeRequest.id };
    await recordEvent(ctx, { kind: 'change_request_created', organizationId: space.organizationId, spaceId, ids });
    return changeRequest;
  },
});

async function rejectBlocked(ctx: Context, organizationId: string): Promise<void> {
  const organization = await loadOrganization(ctx, organizationId);
  if (organization?.blocked) throw blocked(organization.blocked.reason);
}

/** Clusters are visible to those who have a role in the organization. The row is locked, so that it is not deleted meanwhile. */
async function rejectUnknownCluster(ctx: Context, organizationId: string, clusterId: string): Promise<void> {
  const [access, cluster] = [
    await accessInOrganization(ctx, organizationId),
    await ctx.db
      .selectFrom('issues_cluster')
      .where('id', '=', clusterId)
      .where('organizationId', '=', organizationId)
      .select('id')
      .forKeyShare()
      .executeTakeFirst(),
  ];
  if (!cluster || access?.role == null) {
    throw badInput(['issuesClusterId'], 'must be the ID of a cluster of issues of the same organization');
  }
}

/** Takes the next number in the caller's transaction, whose lock on the space keeps the numbers free of gaps. */
async function nextNumber({ db }: Context, spaceId: string): Promise<number> {
  const { latestChangeRequestNumber: number } = await db
    .updateTable('space')
    .set((update) => ({ latestChangeRequestNumber: update('latestChangeRequestNumber', '+', 1) }))
    .where('id', '=', spaceId)
    .returning('latestChangeRequestNumber')
    .executeTakeFirstOrThrow();
  return number;
}
