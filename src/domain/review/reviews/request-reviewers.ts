import { sql } from 'kysely';
import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { badInput, conflict } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation.ts';
import {
  authorizeChangeRequest,
  type ChangeRequestRow,
  changeRequestName,
  holdChangeRequest,
  updateChangeRequest,
} from '../../content/change-requests/index.ts';
import { permissions, reaches, roleOfUser } from '../../people/access/index.ts';

const needed = permissions.requestReviewers.space;
const { subject, description } = updateChangeRequest.input.shape;

export const requestReviewers = command({
  name: 'requestReviewers',
  description:
    'Asks members of the organization to review a change request. Who was asked before stays so. A merged or archived one ' +
    'answers CONFLICT.',
  input: z.object({
    ...changeRequestName,
    userIds: z.array(idOf('user')).min(1).max(50).describe('Whom to ask, 1 to 50 members other than its author.'),
    subject: subject.nullish().describe('Changes what it is about at the same time, as `updateChangeRequest` does.'),
    description: description.describe('Changes the description at the same time, as `updateChangeRequest` does.'),
  }),
  authorize: authorizeChangeRequest(needed),
  async run(ctx, { userIds, subject: about, description: words, ...name }) {
    const changeRequest = await holdChangeRequest(ctx, name, needed);
    if (changeRequest.status === 'merged' || changeRequest.status === 'archived') {
      throw conflict(`This change request is ${changeRequest.status}; there is nothing left to review.`);
    }
    const asked = [...new Set(userIds)];
    await rejectUnfit(ctx, changeRequest, asked);
    if (about != null || words !== undefined) {
      const { id: changeRequestId } = changeRequest;
      await updateChangeRequest(ctx, { changeRequestId, subject: about ?? undefined, description: words });
    }
    await ask(ctx, changeRequest, asked);
    return { changeRequestId: changeRequest.id, userIds: asked };
  },
});

/** An author is not asked about their own, nor is anybody who does not belong here or cannot see the space. */
async function rejectUnfit(ctx: Context, { createdBy, organizationId, spaceId }: ChangeRequestRow, userIds: string[]) {
  const members = await ctx.db
    .selectFrom('membership as mb')
    .innerJoin('space as s', (on) => on.on('s.id', '=', spaceId))
    .where('mb.organizationId', '=', organizationId)
    .where('mb.userId', '=', anyOf(userIds))
    .where('mb.isDisabled', '=', sql.lit(false))
    .select(['mb.userId', reaches(roleOfUser.space(sql.ref('mb.userId'), 's'), 'read').as('sees')])
    .execute();
  const known = new Map(members.map(({ userId, sees }) => [userId, sees]));
  for (const [index, userId] of userIds.entries()) {
    if (!known.has(userId)) throw badInput(['userIds', index], `"${userId}" is no member of this organization.`);
    if (!known.get(userId)) throw badInput(['userIds', index], `"${userId}" cannot see this space.`);
    if (userId === createdBy) throw badInput(['userIds', index], 'An author does not review their own change request.');
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
