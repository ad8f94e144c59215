import { sql } from 'kysely';
import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { badInput, conflict } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import {
  authorizeChangeRequest,
  type ChangeRequestRow,
  changeRequestFor,
  changeRequestName,
  lockChangeRequest,
  updateChangeRequest,
} from '../../content/change-requests/index.ts';
import { accessInOrganization, permissions, reaches, roleOfUser } from '../../people/access/index.ts';
import { permissionsBy } from '../../people/organizations/index.ts';

const needed = permissions.requestReviewers.space;
const { subject, description } = updateChangeRequest.input.shape;

export const requestReviewers = command({
  name: 'requestReviewers',
  scope: 'propose',
  description:
    'Asks members of the organization to review a change request. Earlier requests are kept. CONFLICT if the change request ' +
    'is merged or archived.',
  input: z.object({
    ...changeRequestName,
    userIds: z
      .array(idOf('user'))
      .min(1)
      .max(50)
      .describe('IDs of 1 to 50 members of the organization, other than the author of the change request.'),
    subject: subject
      .nullish()
      .describe('New subject of the change request, up to 100 characters. Default: the current subject.'),
    description: description.describe(
      'New description of the change request, up to 50,000 characters of Markdown. Default: the current description.',
    ),
  }),
  authorize: authorizeChangeRequest(needed),
  async run(ctx, { userIds, subject: about, description: words, ...name }) {
    if (about != null || words !== undefined) {
      await changeRequestFor(ctx, name.changeRequestId, needed, { spaceId: name.spaceId });
      // Before any lock: it parses the description.
      await updateChangeRequest(ctx, { ...name, subject: about ?? undefined, description: words });
    }
    const changeRequest = await lockChangeRequest(ctx, name, needed);
    if (changeRequest.status === 'merged' || changeRequest.status === 'archived') {
      throw conflict(`The change request is ${changeRequest.status} and can no longer be reviewed.`);
    }
    const reviewerIds = [...new Set(userIds)];
    await rejectUnsuitable(ctx, changeRequest, reviewerIds);
    await ask(ctx, changeRequest, reviewerIds);
    return { changeRequestId: changeRequest.id, userIds: reviewerIds };
  },
});

/**
 * Rejects the author, users who are not members, and members who cannot see the space. Callers who cannot list the
 * members are not told which of these is the reason.
 */
async function rejectUnsuitable(
  ctx: Context,
  { createdBy, organizationId, spaceId }: ChangeRequestRow,
  userIds: string[],
) {
  const members = await ctx.db
    .selectFrom('membership as mb')
    .innerJoin('space as s', (on) => on.on('s.id', '=', spaceId))
    .where('mb.organizationId', '=', organizationId)
    .where('mb.userId', '=', anyOf(userIds))
    .where('mb.isDisabled', '=', sql.lit(false))
    .select(['mb.userId', reaches(roleOfUser.space(sql.ref('mb.userId'), 's'), 'read').as('sees')])
    .execute();
  const { listMembers } = permissionsBy(await accessInOrganization(ctx, organizationId));
  const seesByUser = new Map(members.map(({ userId, sees }) => [userId, sees]));
  for (const [index, userId] of userIds.entries()) {
    if (!listMembers && !seesByUser.get(userId))
      throw badInput(['userIds', index], `"${userId}" is not a member who can see the space.`, 'NOT_FOUND');
    if (!seesByUser.has(userId))
      throw badInput(['userIds', index], `"${userId}" is not a member of the organization.`, 'NOT_FOUND');
    if (!seesByUser.get(userId)) throw badInput(['userIds', index], `"${userId}" cannot see the space.`);
    if (userId === createdBy)
      throw badInput(['userIds', index], 'Authors cannot be asked to review their own change request.');
  }
}

async function ask(ctx: Context, changeRequest: ChangeRequestRow, userIds: string[]): Promise<void> {
  const { id: changeRequestId, organizationId, spaceId, revisionId } = changeRequest;
  const requestedBy = requireUserId(ctx.actor);
  const fresh = await ctx.db
    .insertInto('requested_reviewer')
    .values(
      userIds.map((userId) => ({
        changeRequestId,
        userId,
        organizationId,
        spaceId,
        revisionId,
        requestedBy,
        createdAt: nowOf(ctx),
      })),
    )
    .onConflict((same) => same.columns(['changeRequestId', 'userId']).doNothing())
    .returning('userId')
    .execute();
  for (const { userId } of fresh) {
    const ids = { changeRequestId, userId };
    await recordEvent(ctx, { kind: 'change_request_review_requested', organizationId, spaceId, ids });
  }
}
