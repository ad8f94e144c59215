import { publicForm } from '../../../lib/document/public-form.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Resource } from '../../../platform/resource/field.ts';
import { types } from '../../../platform/resource/field-types.ts';
import type { FieldMaker } from '../../../platform/resource/make-fields.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { loadUser, user } from '../../people/users/index.ts';
import type { CommentRow, ReplyRow } from './columns.ts';
import { commentTarget } from './comment-target.ts';
import { commentStatus } from './enums.ts';
import type { BodyFormat } from './format.ts';
import { loadBody, loadComment } from './load.ts';
import { type CommentPermissions, commentPermissions } from './permissions.ts';
import { loadReactions, type Reaction } from './reactions.ts';
import { type Replier, replyCounts } from './repliers.ts';

/** REST returns the body in one format, Markdown unless the request chooses another. The graph has both. */
interface Formatted {
  format?: BodyFormat;
}

type CommentOrReply = (CommentRow | ReplyRow) & Formatted;

async function publicBody(ctx: Context, id: string) {
  const body = await loadBody(ctx, id);
  return body && publicForm(body);
}

const commentBody = resource<CommentOrReply>(
  { name: 'CommentBody', description: 'Body of a comment or reply, as Markdown and as a document.' },
  (f) => ({
    markdown: f.apart({
      graph: f.string('Body as normalized Markdown.', ({ markdown }) => markdown),
      rest: f.string.optional('', ({ format, markdown }) => (format === 'document' ? null : markdown)),
    }),
    document: f.apart({
      graph: f
        .jsonObject()
        .optional('Body as a document: `{ object: "document", data, nodes }`.', ({ id }, ctx) => loadBody(ctx, id)),
      rest: f.jsonObject().optional('', ({ id, format }, ctx) => (format === 'document' ? publicBody(ctx, id) : null)),
    }),
  }),
);

const reactionUser = resource<Reaction['users'][number]>(
  { name: 'EmojiReactionUser', description: 'A user who reacted with an emoji.' },
  (f) => ({
    user: f
      .object(() => user)
      .optional(
        'User who reacted. Null if the account no longer exists.',
        ({ userId }, ctx) => loadUser.peek(ctx, userId),
        {
          isRequired: true,
        },
      ),
    reactedAt: f.time('Time of the reaction.', ({ reactedAt }) => reactedAt),
  }),
);

const reaction = resource<Reaction>(
  { name: 'EmojiReaction', description: 'An emoji on a comment or reply, with the users who reacted with it.' },
  (f) => ({
    emoji: f.string('The emoji, in the form that the first user who reacted with it sent.', ({ emoji }) => emoji),
    count: f.count('Number of users who reacted with the emoji.', ({ count }) => count),
    users: f.list(types.object(() => reactionUser))(
      'The first 50 users who reacted with the emoji, earliest first.',
      ({ users }) => users,
    ),
  }),
);

const replier = resource<Replier>({ name: 'Replier', description: 'A user who replied to a comment.' }, (f) => ({
  user: f
    .object(() => user)
    .optional(
      'User who replied. Null if the account no longer exists.',
      ({ userId }, ctx) => loadUser.peek(ctx, userId),
      {
        isRequired: true,
      },
    ),
  count: f.count('Number of replies by the user.', ({ count }) => count),
  updatedAt: f.time("Time of the user's latest reply.", ({ updatedAt }) => updatedAt),
}));

const permissions = resource<CommentPermissions>(
  { name: 'CommentPermissions', description: 'Your permissions on a comment or reply.' },
  (f) => ({
    view: f.boolean('You can read the comment or reply.', ({ view }) => view),
    edit: f.boolean('You can edit the body. Only the author has this permission.', ({ edit }) => edit),
    reply: f.boolean('You can reply. Requires the role `comment` on the space.', ({ reply }) => reply),
    delete: f.boolean(
      'You can delete the comment or reply. Only the author and admins of the space have this permission.',
      (row) => row.delete,
    ),
  }),
);

const commentUrls = resource<CommentOrReply>(
  { name: 'CommentUrls', description: 'API URLs of a comment or reply.' },
  (f) => ({
    location: f.url('URL of the comment or reply in the REST API.', locationOf),
  }),
);

function locationOf(row: CommentOrReply, ctx: Context): string {
  const { id, spaceId, changeRequestId } = row;
  const parent = changeRequestId === null ? spaceId : `${spaceId}/change-requests/${changeRequestId}`;
  const path = 'commentId' in row ? `${row.commentId}/replies/${id}` : id;
  return locationUrl(ctx, `/v1/spaces/${parent}/comments/${path}`);
}

/** The fields that comments and replies share. */
const sharedFields = <Row extends CommentOrReply>(f: FieldMaker<Row>, noun: 'comment' | 'reply') => ({
  postedBy: f
    .object(() => user)
    .optional(
      `Author of the ${noun}. Null if the account no longer exists.`,
      ({ postedBy, author }, ctx) => author ?? loadUser.peek(ctx, postedBy),
      { isRequired: true },
    ),
  postedAt: f.time(`Time when the ${noun} was posted.`, ({ postedAt }) => postedAt),
  editedAt: f.time.optional(
    'Time when the body was last edited. Null if it was never edited.',
    ({ editedAt }) => editedAt,
  ),
  reactions: f.list(types.object(() => reaction))(
    `Reactions to the ${noun}, ordered by the first use of each emoji. At most 50 different emoji.`,
    ({ id }, ctx) => loadReactions(ctx, id),
  ),
  body: f.object(() => commentBody)(`Body of the ${noun}. REST returns only the requested format.`, (row) => row),
  permissions: f.object(() => permissions)(`Your permissions on the ${noun}.`, (row, ctx) =>
    commentPermissions(ctx, row),
  ),
  urls: f.object(() => commentUrls)(`URLs of the ${noun}.`, (row) => row),
});

export const comment: Resource<CommentRow & Formatted> = resource(
  {
    name: 'Comment',
    object: 'comment',
    node: 'comment',
    isVersioned: true,
    description: 'A comment on a space, a change request, or a part of their content.',
  },
  (f) => ({
    ...sharedFields(f, 'comment'),
    repliesCount: f.count(
      'Number of replies to the comment.',
      async ({ id }, ctx) => (await replyCounts(ctx, id)).total,
      {
        rest: 'replies',
      },
    ),
    repliers: f.list(types.object(() => replier))(
      'Users who replied to the comment, most recent reply first. At most 50.',
      async ({ id }, ctx) => (await replyCounts(ctx, id)).repliers,
    ),
    target: f.object(() => commentTarget)(
      'Space, change request or part of their content that the comment refers to.',
      (row) => row,
    ),
    status: f.enum(commentStatus)('Whether the comment is open or resolved.', ({ resolvedAt }) =>
      resolvedAt === null ? 'open' : 'resolved',
    ),
    resolvedAt: f.time.optional(
      'Time when the comment was resolved. Null while it is open.',
      ({ resolvedAt }) => resolvedAt,
    ),
    resolvedBy: f
      .object(() => user)
      .optional('User who resolved the comment. Null while it is open.', ({ resolvedBy: id }, ctx) =>
        id === null ? null : loadUser.peek(ctx, id),
      ),
  }),
);

export const reply: Resource<ReplyRow & Formatted> = resource(
  {
    name: 'CommentReply',
    object: 'comment-reply',
    node: 'reply',
    isVersioned: true,
    description: 'A reply to a comment. Replies cannot have replies.',
  },
  (f) => ({
    ...sharedFields(f, 'reply'),
    comment: f
      .object(() => comment)
      .optional('Comment that the reply belongs to.', ({ commentId }, ctx) => loadComment(ctx, commentId), {
        rest: false,
      }),
  }),
);
