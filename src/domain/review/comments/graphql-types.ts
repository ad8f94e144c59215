import type { Context } from '../../../platform/context.ts';
import { builder, type FieldsOf } from '../../../platform/graphql/builder.ts';
import { versionField } from '../../../platform/graphql/version-field.ts';
import { UserType } from '../../people/users/graphql.ts';
import { loadUser } from '../../people/users/index.ts';
import type { CommentRow, ReplyRow } from './columns.ts';
import { loadBody } from './load.ts';
import { type CommentPermissions, commentPermissions } from './permissions.ts';
import { writtenUrls } from './present.ts';
import { loadReactions, type Reaction } from './reactions.ts';
import type { Replier } from './repliers.ts';

type Written = CommentRow | ReplyRow;

const BodyType = builder.objectRef<Written>('CommentBody').implement({
  description: 'What a comment or reply says, in two equal forms.',
  fields: (t) => ({
    markdown: t.exposeString('markdown', { description: 'As Markdown, in its normal form.' }),
    document: t.field({
      type: 'JSONObject',
      description: 'As a document in JSON: `{ object: "document", data, nodes }`.',
      nullable: true,
      resolve: ({ id }, _args, ctx) => loadBody(ctx, id),
    }),
  }),
});

const ReactionUserType = builder.objectRef<Reaction['users'][number]>('EmojiReactionUser').implement({
  description: 'Somebody who reacted by an emoji.',
  fields: (t) => ({
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'Who; null once the account is gone.',
      resolve: ({ userId }, _args, ctx) => loadUser(ctx, userId),
    }),
    reactedAt: t.expose('reactedAt', { type: 'DateTime', description: 'When they did.' }),
  }),
});

const ReactionType = builder.objectRef<Reaction>('EmojiReaction').implement({
  description: 'An emoji under a comment or reply, with those who reacted by it.',
  fields: (t) => ({
    emoji: t.exposeString('emoji', { description: 'The emoji, as the first of them wrote it.' }),
    count: t.exposeInt('count', { description: 'How many they are.' }),
    users: t.field({
      type: [ReactionUserType],
      description: 'The first 50 of them, the first of all first.',
      resolve: ({ users }) => users,
    }),
  }),
});

export const ReplierType = builder.objectRef<Replier>('Replier').implement({
  description: 'Somebody who replied to a comment.',
  fields: (t) => ({
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'Who; null once the account is gone.',
      resolve: ({ userId }, _args, ctx) => loadUser(ctx, userId),
    }),
    count: t.exposeInt('count', { description: 'How many replies they wrote.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When they wrote the last one.' }),
  }),
});

const PermissionsType = builder.objectRef<CommentPermissions>('CommentPermissions').implement({
  description: 'What you may do with a comment or reply.',
  fields: (t) => ({
    view: t.exposeBoolean('view', { description: 'Read it.' }),
    edit: t.exposeBoolean('edit', { description: 'Change what it says: its author may.' }),
    reply: t.exposeBoolean('reply', { description: 'Answer: those who may comment on the space.' }),
    delete: t.exposeBoolean('delete', { description: 'Delete it: its author and admins of the space may.' }),
  }),
});

const UrlsType = builder.objectRef<{ location: string }>('CommentUrls').implement({
  description: 'Addresses of a comment or reply.',
  fields: (t) => ({ location: t.expose('location', { type: 'URL', description: 'Where it is in REST.' }) }),
});

/** A cell of a table. */
export const TableCellType = builder.objectRef<{ record: string; definition: string }>('TableCell').implement({
  description: 'Where a row and a column of a table meet.',
  fields: (t) => ({
    record: t.exposeString('record', { description: 'Id of the record: the row.' }),
    definition: t.exposeString('definition', { description: 'Id of the definition: the column.' }),
  }),
});

/** The fields that comments and replies have alike. */
export const writtenFields = <Row extends Written>(t: FieldsOf<Row>) => ({
  body: t.field({ type: BodyType, description: 'What it says.', resolve: (written: Written) => written }),
  postedBy: t.field({
    type: UserType,
    nullable: true,
    description: 'Who wrote it; null once the account is gone.',
    resolve: (written: Written, _args: object, ctx: Context) => loadUser(ctx, written.postedBy),
  }),
  postedAt: t.field({
    type: 'DateTime',
    description: 'When it was posted.',
    resolve: (written: Written) => written.postedAt,
  }),
  editedAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When what it says was last changed; null when it never was.',
    resolve: (written: Written) => written.editedAt,
  }),
  version: versionField(t),
  reactions: t.field({
    type: [ReactionType],
    description: 'Reactions, the emoji that came first before the others. At most 50 different ones.',
    resolve: (written: Written, _args: object, ctx: Context) => loadReactions(ctx, written.id),
  }),
  permissions: t.field({
    type: PermissionsType,
    description: 'What you may do with it.',
    resolve: (written: Written, _args: object, ctx: Context) => commentPermissions(ctx, written),
  }),
  urls: t.field({
    type: UrlsType,
    description: 'Addresses of it.',
    resolve: (written: Written, _args: object, ctx: Context) => writtenUrls(written, ctx),
  }),
});
