import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import {
  addressIn,
  countIn,
  idIn,
  mayIn,
  namedShape,
  objectIs,
  timeIn,
  versionedShape,
} from '../../../platform/shapes.ts';
import { locationUrl } from '../../../platform/urls.ts';
import { VERSIONED } from '../../../platform/version.ts';
import { loadUser, presentUser, userShape } from '../../people/users/index.ts';
import type { CommentRow, ReplyRow } from './columns.ts';
import { commentStatus } from './enums.ts';
import { loadBody } from './load.ts';
import { commentPermissions } from './permissions.ts';
import { loadReactions, type Reaction } from './reactions.ts';
import { type Replier, replyCounts } from './repliers.ts';

/** The forms of a body (docs/decisions.md, Comments). */
const FORMATS = ['markdown', 'document'] as const;

export type BodyFormat = (typeof FORMATS)[number];

/** The query parameter that chooses the form. */
export const formatQuery = {
  format: z.enum(FORMATS).default('markdown').describe('The form of the body.'),
};

export function formatOf({ format = 'markdown' }: { format?: string | string[] }): BodyFormat {
  const known = FORMATS.find((each) => each === format);
  if (known) return known;
  throw badInput(['format'], 'must be "document" or "markdown".');
}

/** The addresses of a comment or a reply. */
export function writtenUrls(written: CommentRow | ReplyRow, ctx: Context) {
  const { id, spaceId, changeRequestId } = written;
  const discussed = changeRequestId === null ? spaceId : `${spaceId}/change-requests/${changeRequestId}`;
  const place = 'commentId' in written ? `${written.commentId}/replies/${id}` : id;
  return { location: locationUrl(ctx, `/v1/spaces/${discussed}/comments/${place}`) };
}

/** REST's Comment. Whatever is not in the row comes from loaders, so that lists are batched. */
export async function presentComment(comment: CommentRow, ctx: Context, format: BodyFormat = 'markdown') {
  const [written, { total, repliers }, status] = await Promise.all([
    presentWritten(comment, ctx, format),
    replyCounts(ctx, comment.id),
    statusOf(comment, ctx),
  ]);
  return {
    object: 'comment',
    ...written,
    replies: total,
    repliers: await Promise.all(repliers.map((replier) => presentReplier(replier, ctx))),
    target: targetOf(comment),
    ...status,
    [VERSIONED]: comment,
  };
}

/** REST's CommentReply. */
export const presentReply = async (reply: ReplyRow, ctx: Context, format: BodyFormat = 'markdown') => ({
  object: 'comment-reply',
  ...(await presentWritten(reply, ctx, format)),
  [VERSIONED]: reply,
});

async function presentWritten(written: CommentRow | ReplyRow, ctx: Context, format: BodyFormat) {
  const [postedBy, reactions, permissions, body] = await Promise.all([
    userOf(written.postedBy, ctx),
    loadReactions(ctx, written.id),
    commentPermissions(ctx, written),
    format === 'markdown'
      ? { markdown: written.markdown }
      : loadBody(ctx, written.id).then((document) => ({ document })),
  ]);
  return {
    id: written.id,
    postedBy,
    postedAt: written.postedAt,
    ...(written.editedAt !== null && { editedAt: written.editedAt }),
    reactions: await Promise.all(reactions.map((reaction) => presentReaction(reaction, ctx))),
    body,
    permissions,
    urls: writtenUrls(written, ctx),
  };
}

async function statusOf({ resolvedAt, resolvedBy }: CommentRow, ctx: Context) {
  if (resolvedAt === null) return { status: 'open' };
  return {
    status: 'resolved',
    resolvedAt,
    ...(resolvedBy !== null && { resolvedBy: await userOf(resolvedBy, ctx) }),
  };
}

const targetOf = (comment: CommentRow) => ({
  ...(comment.nodeId !== null && { node: { id: comment.nodeId } }),
  ...(comment.tableRecord !== null && {
    tableCell: { record: comment.tableRecord, definition: comment.tableDefinition },
  }),
  ...(comment.changeRequestId !== null && { changeRequest: comment.changeRequestId }),
  ...(comment.reviewId !== null && { review: comment.reviewId }),
  ...(comment.pageId !== null && { page: { id: comment.pageId } }),
  space: comment.spaceId,
  revision: comment.revisionId,
});

const presentReaction = async ({ emoji, count, users }: Reaction, ctx: Context) => ({
  emoji,
  count,
  users: await Promise.all(
    users.map(async ({ userId, reactedAt }) => ({ user: await userOf(userId, ctx), reactedAt })),
  ),
});

const presentReplier = async ({ userId, count, updatedAt }: Replier, ctx: Context) => ({
  updatedAt,
  count,
  user: await userOf(userId, ctx),
});

async function userOf(userId: string, ctx: Context) {
  const user = await loadUser(ctx, userId);
  return user && presentUser(user, ctx);
}

const bodyShape = z
  .object({
    markdown: z.string().optional().describe('As Markdown.'),
    document: z.record(z.string(), z.unknown()).optional().describe('As a document in JSON.'),
  })
  .describe('What it says, in the form that was asked for.');

const reactionShape = namedShape('EmojiReaction', 'An emoji, with those who reacted by it.', {
  emoji: z.string().describe('The emoji as the first of them wrote it.'),
  count: countIn('How many they are.'),
  users: z
    .array(z.object({ user: userShape.describe('Who.'), reactedAt: timeIn('When.') }))
    .describe('The first 50 of them.'),
});

const writtenMembers = {
  postedBy: userShape.describe('Who wrote it.'),
  postedAt: timeIn('When it was posted.'),
  editedAt: timeIn('When what it says was last changed, if it was.').optional(),
  reactions: z.array(reactionShape).describe('Reactions, the emoji that came first before the others.'),
  body: bodyShape,
  permissions: z
    .object({
      view: mayIn('You may read it.'),
      edit: mayIn('You may change what it says.'),
      reply: mayIn('You may answer.'),
      delete: mayIn('You may delete it.'),
    })
    .describe('What you may do.'),
  urls: z.object({ location: addressIn('Where it is in REST.') }).describe('Addresses.'),
};

const replierShape = namedShape('Replier', 'Somebody who replied.', {
  user: userShape.describe('Who.'),
  count: countIn('How many replies they wrote.'),
  updatedAt: timeIn('When they wrote the last one.'),
});

const targetShape = z
  .object({
    node: z
      .object({ id: z.string().describe('Its key in the document.') })
      .optional()
      .describe('The node.'),
    tableCell: z
      .object({ record: z.string().describe('The row.'), definition: z.string().describe('The column.') })
      .optional()
      .describe('The cell of the table that the node is.'),
    changeRequest: idIn('cr', 'The change request.').optional(),
    review: idIn('review', 'The review.').optional(),
    page: z
      .object({ id: idIn('page') })
      .optional()
      .describe('The page, which may be gone.'),
    space: idIn('space', 'The space.'),
    revision: idIn('rev', 'What the content was at when it was posted.'),
  })
  .describe('What it is about.');

export const commentShape = versionedShape('Comment', 'A remark on a space, a change request, or something in them.', {
  object: objectIs('comment'),
  id: idIn('comment'),
  ...writtenMembers,
  replies: countIn('Replies.'),
  repliers: z.array(replierShape).describe('Who replied, the last to do so first; at most 50.'),
  target: targetShape,
  status: commentStatus.describe('Whether it is settled.'),
  resolvedAt: timeIn('When it was settled.').optional(),
  resolvedBy: userShape.optional().describe('Who settled it.'),
});

export const replyShape = versionedShape('CommentReply', 'An answer to a comment.', {
  object: objectIs('comment-reply'),
  id: idIn('reply'),
  ...writtenMembers,
});
