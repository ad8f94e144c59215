import { sql } from 'kysely';
import type { z } from 'zod';
import { referencesOf } from '../../../lib/document/references.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { EventKind } from '../../../platform/events/kinds.ts';
import type { EventRow } from '../../../platform/events/read-events.ts';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';
import { loadChangeRequest } from '../../content/change-requests/index.ts';
import { loadBody, loadComment, loadReply } from '../comments/index.ts';

export const notificationReason = namedEnum('NotificationReason', 'Reason for a notification.', {
  'review-requested': 'You were asked to review a change request.',
  reviewed: 'Your change request was reviewed.',
  merged: 'Your change request was merged.',
  mentioned: 'You are mentioned in a new comment or reply.',
  replied: 'A comment that you posted or replied to has a new reply.',
  commented: 'Your change request has a new comment or reply.',
});

type Reason = z.infer<typeof notificationReason>;

/** An event that concerns a user, and why. */
export interface Notification extends EventRow {
  reason: Reason;
}

type FindReason = (ctx: Context, event: EventRow, userId: string) => Promise<Reason | undefined>;

/**
 * How the reason is found, by the kind of event. Undefined for users whom the event does not concern or who may not
 * read it.
 */
const FINDERS: Partial<Record<EventKind, FindReason>> = {
  change_request_review_requested: async (ctx, { ids: { changeRequestId = '', userId: askedId } }, userId) =>
    askedId === userId && (await loadChangeRequest(ctx, changeRequestId)) ? 'review-requested' : undefined,

  change_request_reviewed: async (ctx, { ids: { changeRequestId } }, userId) =>
    (await hasCreated(ctx, changeRequestId, userId)) ? 'reviewed' : undefined,

  change_request_merged: async (ctx, { ids: { changeRequestId } }, userId) =>
    (await hasCreated(ctx, changeRequestId, userId)) ? 'merged' : undefined,

  async comment_posted(ctx, event, userId) {
    const { commentId = '', changeRequestId } = event.ids;
    const comment = await loadComment(ctx, commentId);
    if (!comment) return undefined;
    if (await mentions(ctx, comment, userId)) return 'mentioned';
    // The event of the review tells of the comment that was submitted with it.
    if (comment.reviewId !== null && (await isSubmittedWith(ctx, event, comment.reviewId))) return undefined;
    return (await hasCreated(ctx, changeRequestId, userId)) ? 'commented' : undefined;
  },

  async comment_reply_posted(ctx, { ids: { commentReplyId = '', commentId = '', changeRequestId } }, userId) {
    const [reply, comment] = await Promise.all([loadReply(ctx, commentReplyId), loadComment(ctx, commentId)]);
    if (!reply || !comment) return undefined;
    if (await mentions(ctx, reply, userId)) return 'mentioned';
    if (comment.postedBy === userId || (await hasReplied(ctx, commentId, userId))) return 'replied';
    return (await hasCreated(ctx, changeRequestId, userId)) ? 'commented' : undefined;
  },
};

/** Whether a user may have to be notified of an event: another user caused it, and its kind can concern users. */
export const mayConcern = ({ kind, actorId }: EventRow, userId: string): boolean =>
  actorId !== userId && FINDERS[kind] !== undefined;

/**
 * The notification of a user, who is the caller, of an event. Undefined if it does not concern them or they may not
 * read it.
 */
export async function notificationOf(ctx: Context, event: EventRow, userId: string): Promise<Notification | undefined> {
  const reason = await FINDERS[event.kind]?.(ctx, event, userId);
  return reason && { ...event, reason };
}

async function hasCreated(ctx: Context, changeRequestId: string | undefined, userId: string): Promise<boolean> {
  if (changeRequestId === undefined) return false;
  return (await loadChangeRequest(ctx, changeRequestId))?.createdBy === userId;
}

/** Whether the transaction of an event submitted the review. */
async function isSubmittedWith({ db }: Context, { transactionId }: EventRow, reviewId: string): Promise<boolean> {
  const submission = await db
    .selectFrom('event')
    .where('transactionId', '=', transactionId)
    .where('kind', '=', 'change_request_reviewed')
    .where(sql<boolean>`ids @> ${JSON.stringify({ reviewId })}::jsonb`)
    .select('id')
    .executeTakeFirst();
  return submission !== undefined;
}

async function mentions(
  ctx: Context,
  { id, markdown }: { id: string; markdown: string },
  userId: string,
): Promise<boolean> {
  // The Markdown of a mention contains the id, so that few bodies are loaded.
  if (!markdown.includes(userId)) return false;
  const body = await loadBody(ctx, id);
  return body !== undefined && referencesOf(body).some(({ ref }) => ref.kind === 'user' && ref.user === userId);
}

async function hasReplied({ db }: Context, commentId: string, userId: string): Promise<boolean> {
  const reply = await db
    .selectFrom('comment_reply')
    .where('commentId', '=', commentId)
    .where('postedBy', '=', userId)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return reply !== undefined;
}
