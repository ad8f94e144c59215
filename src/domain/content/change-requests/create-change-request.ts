import { sql } from 'kysely';
import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { badInput, notFound } from '../../../platform/errors/errors.ts';
import { writeStatement } from '../../../platform/events/write-statement.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { lineText } from '../../../platform/shapes/text.ts';
import { accessInOrganization, permissions } from '../../people/access/index.ts';
import { userIn, userOfColumn } from '../../people/users/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import type { ChangeRequestRow } from './access.ts';

const needed = permissions.createChangeRequest.space;

type NewChangeRequest = Pick<
  ChangeRequestRow,
  'id' | 'spaceId' | 'subject' | 'agentTaskId' | 'issuesClusterId' | 'createdBy' | 'createdAt'
>;

/** The space must be locked, so that the numbers have no gaps. */
const insert = writeStatement<NewChangeRequest, ChangeRequestRow>((params) => ({
  before: sql`numbered as (
    update space s set latest_change_request_number = s.latest_change_request_number + 1
    where s.id = ${params.spaceId} and (${params.issuesClusterId}::text is null or exists (
      select from issues_cluster c
      where c.id = ${params.issuesClusterId} and c.organization_id = s.organization_id for key share))
    returning s.id, s.organization_id, s.revision_id, s.latest_change_request_number)`,
  change: sql`
    insert into change_request (id, organization_id, space_id, number, subject, revision_id, revision_initial_id,
      agent_task_id, issues_cluster_id, created_by, created_at, updated_at)
    select ${params.id}, n.organization_id, n.id, n.latest_change_request_number, ${params.subject}, n.revision_id, n.revision_id,
      ${params.agentTaskId}, ${params.issuesClusterId}, ${params.createdBy}, ${params.createdAt}::timestamptz, ${params.createdAt}::timestamptz
    from numbered n returning *`,
  returned: userOfColumn('createdBy'),
}));

export const createChangeRequest = command({
  name: 'createChangeRequest',
  scope: 'propose',
  description:
    'Creates a draft change request in a space. It starts with the primary content of the space; edit the content and merge it. Works on locked spaces too, in a time that does not depend on the size of the space.',
  input: z.object({
    spaceId: idOf('space'),
    subject: lineText(0, 100)
      .nullish()
      .describe('Subject of the change request, up to 100 characters. Empty by default.'),
    agentTaskId: lineText(0, 255)
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
    const { organizationId } = await spaceFor(ctx, spaceId, needed, { lock: 'for no key update' });
    if (issuesClusterId != null) await rejectUnknownCluster(ctx, organizationId, issuesClusterId);
    const row = {
      id: newId('cr'),
      spaceId,
      subject: subject ?? '',
      agentTaskId: agentTaskId ?? null,
      issuesClusterId: issuesClusterId ?? null,
      createdBy: requireUserId(ctx.actor),
      createdAt: nowOf(ctx),
    };
    const ids = { changeRequestId: row.id };
    const changeRequest = await insert(ctx, row, [{ kind: 'change_request_created', organizationId, spaceId, ids }]);
    if (!changeRequest) throw notFound('space', spaceId);
    return { ...changeRequest, creator: userIn(changeRequest) };
  },
});

/** Clusters are visible to those who have a role in the organization. */
async function rejectUnknownCluster(ctx: Context, organizationId: string, clusterId: string): Promise<void> {
  const access = await accessInOrganization(ctx, organizationId);
  const cluster = await ctx.db
    .selectFrom('issues_cluster')
    .where('id', '=', clusterId)
    .where('organizationId', '=', organizationId)
    .select('id')
    .executeTakeFirst();
  if (cluster && access?.role != null) return;
  throw badInput(['issuesClusterId'], 'must be the ID of a cluster of issues of the same organization', 'NOT_FOUND');
}
