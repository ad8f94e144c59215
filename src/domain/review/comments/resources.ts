import type { Context } from '../../../platform/context.ts';
import type { Resource } from '../../../platform/resource/field.ts';
import { types } from '../../../platform/resource/field-types.ts';
import type { FieldMaker } from '../../../platform/resource/make-fields.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { locationUrl } from '../../../platform/urls.ts';
import { changeRequest, loadChangeRequest } from '../../content/change-requests/index.ts';
import { loadUser, user } from '../../people/users/index.ts';
import type { CommentRow, ReplyRow } from './columns.ts';
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

type Written = (CommentRow | ReplyRow) & Formatted;

const commentBody = resource<Written>(
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
      rest: f.jsonObject().optional('', ({ id, format }, ctx) => (format === 'document' ? loadBody(ctx, id) : null)),
    }),
  }),
);

const reactionUser = resource<Reaction['users'][number]>(
  { name: 'EmojiReactionUser', description: 'A user who reacted with an emoji.' },
  (f) => ({
    user: f
      .object(() => user)
      .optional('User who reacted. Null if the account no longer exists.', ({ userId }, ctx) => loadUser(ctx, userId), {
        isRequired: true,
      }),
    reactedAt: f.time('Time of the reaction.', ({ reactedAt }) => reactedAt),
  }),
);

const reaction = resource<Reaction>(
  { name: 'EmojiReaction', description: 'An emoji on a comment or reply, with the users who reacted with it.' },
  (f) => ({
    emoji: f.string('The emoji, as written by the first user who reacted with it.', ({ emoji }) => emoji),
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
    .optional('User who replied. Null if the account no longer exists.', ({ userId }, ctx) => loadUser(ctx, userId), {
      isRequired: true,
    }),
  count: f.count('Number of replies by the user.', ({ count }) => count),
  updatedAt: f.time("Time of the user's latest reply.", ({ updatedAt }) => updatedAt),
}));

const permissions = resource<CommentPermissions>(
  { name: 'CommentPermissions', description: 'What you can do with a comment or reply.' },
  (f) => ({
    view: f.boolean('You can read it.', ({ view }) => view),
    edit: f.boolean('You can edit its body. Only the author can.', ({ edit }) => edit),
    reply: f.boolean('You can reply. Requires permission to comment on the space.', ({ reply }) => reply),
    delete: f.boolean('You can delete it. Authors and administrators of the space can.', (row) => row.delete),
  }),
);

const commentUrls = resource<Written>({ name: 'CommentUrls', description: 'URLs of a comment or reply.' }, (f) => ({
  location: f.url('URL of the comment or reply in the REST API.', locationOf),
}));

function locationOf(written: Written, ctx: Context): string {
  const { id, spaceId, changeRequestId } = written;
  const parent = changeRequestId === null ? spaceId : `${spaceId}/change-requests/${changeRequestId}`;
  const path = 'commentId' in written ? `${written.commentId}/replies/${id}` : id;
  return locationUrl(ctx, `/v1/spaces/${parent}/comments/${path}`);
}

/** The fields that comments and replies share. */
const writtenFields = <Row extends Written>(f: FieldMaker<Row>) => ({
  postedBy: f
    .object(() => user)
    .optional('Author. Null if the account no longer exists.', ({ postedBy }, ctx) => loadUser(ctx, postedBy), {
      isRequired: true,
    }),
  postedAt: f.time('Time of posting.', ({ postedAt }) => postedAt),
  editedAt: f.time.optional('Time when the body was last edited. Null if it was never edited.', (row) => row.editedAt),
  reactions: f.list(types.object(() => reaction))(
    'Reactions, ordered by the first use of each emoji. At most 50 different emoji.',
    ({ id }, ctx) => loadReactions(ctx, id),
  ),
  body: f.object(() => commentBody)('Body. In REST only in the requested format.', (row) => row),
  permissions: f.object(() => permissions)('What you can do with it.', (row, ctx) => commentPermissions(ctx, row)),
  urls: f.object(() => commentUrls)('URLs.', (row) => row),
});

const tableCell = resource<{ record: string; definition: string }>(
  { name: 'TableCell', description: 'A cell of a table.' },
  (f) => ({
    record: f.string('Id of the record (row).', ({ record }) => record),
    definition: f.string('Id of the definition (column).', ({ definition }) => definition),
  }),
);

const targetNode = resource<string>(
  { name: 'CommentTargetNode', description: 'A node that a comment refers to.' },
  (f) => ({ id: f.string('Key of the node in the document.', (key) => key) }),
);

const targetPage = resource<string>(
  { name: 'CommentTargetPage', description: 'A page that a comment refers to.' },
  (f) => ({ id: f.id('page')('Id of the page.', (id) => id) }),
);

export const commentTarget = resource<CommentRow>(
  { name: 'CommentTarget', description: 'What a comment refers to.' },
  (f) => ({
    node: f.apart({
      graph: f.string.optional(
        'Key of the node in the document of the page. Remains when the node is deleted.',
        ({ nodeId }) => nodeId,
      ),
      rest: f.object(() => targetNode).optional('', ({ nodeId }) => nodeId),
    }),
    tableCell: f
      .object(() => tableCell)
      .optional('Table cell. Only if the node is a table.', ({ tableRecord: record, tableDefinition: definition }) =>
        record === null || definition === null ? null : { record, definition },
      ),
    changeRequest: f.reference(
      () => changeRequest,
      'Change request. Null for comments on the primary content of the space.',
      {
        prefix: 'cr',
        id: ({ changeRequestId }) => changeRequestId,
        load: ({ changeRequestId: id }, ctx) => (id === null ? null : loadChangeRequest(ctx, id)),
      },
    ),
    pageId: f.id('page').optional('Id of the page. Remains when the page is deleted.', ({ pageId }) => pageId, {
      rest: false,
    }),
    page: f
      .object(() => targetPage)
      .optional('Page. Remains when the page is deleted.', ({ pageId }) => pageId, {
        graph: false,
      }),
    space: f.id('space')('Id of the space.', ({ spaceId }) => spaceId, { graph: false }),
    revisionId: f.id('rev')(
      'Id of the revision of the content at the time of posting.',
      ({ revisionId }) => revisionId,
      { rest: 'revision' },
    ),
  }),
);

export const comment: Resource<CommentRow & Formatted> = resource(
  {
    name: 'Comment',
    object: 'comment',
    node: 'comment',
    isVersioned: true,
    description: 'A comment on a space, a change request, or a part of their content.',
  },
  (f) => ({
    ...writtenFields(f),
    repliesCount: f.count('Number of replies.', async ({ id }, ctx) => (await replyCounts(ctx, id)).total, {
      rest: 'replies',
    }),
    repliers: f.list(types.object(() => replier))(
      'Users who replied, most recent reply first. At most 50.',
      async ({ id }, ctx) => (await replyCounts(ctx, id)).repliers,
    ),
    target: f.object(() => commentTarget)('What the comment refers to.', (row) => row),
    status: f.enum(commentStatus)('Status of the comment.', ({ resolvedAt }) =>
      resolvedAt === null ? 'open' : 'resolved',
    ),
    resolvedAt: f.time.optional('Time when the comment was resolved.', ({ resolvedAt }) => resolvedAt),
    resolvedBy: f
      .object(() => user)
      .optional('User who resolved the comment.', ({ resolvedBy: id }, ctx) =>
        id === null ? null : loadUser(ctx, id),
      ),
  }),
);

export const reply: Resource<ReplyRow & Formatted> = resource(
  {
    name: 'CommentReply',
    object: 'comment-reply',
    node: 'reply',
    isVersioned: true,
    description: 'A reply to a comment. Replies cannot be replied to.',
  },
  (f) => ({
    ...writtenFields(f),
    comment: f
      .object(() => comment)
      .optional('Comment that was replied to.', ({ commentId }, ctx) => loadComment(ctx, commentId), { rest: false }),
  }),
);
