import { eventKind } from '../../../platform/events/kinds.ts';
import type { EventRow } from '../../../platform/events/read-events.ts';
import { afterEvent, RESUMES } from '../../../platform/graphql/after-event.ts';
import { builder, type FieldsOf } from '../../../platform/graphql/builder.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { ChangeRequestType } from '../../content/change-requests/graphql.ts';
import { loadChangeRequest } from '../../content/change-requests/index.ts';
import { PageNodeType } from '../../content/pages/graphql.ts';
import { UserType } from '../../people/users/graphql.ts';
import { loadUser } from '../../people/users/index.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { hasRoleOnSpace, loadSpace, subscribeToSpace } from '../../places/spaces/index.ts';
import { CommentType, ReplyType } from '../comments/graphql.ts';
import { loadComment, loadReply } from '../comments/index.ts';
import { ReviewType } from '../reviews/graphql.ts';
import { loadReview } from '../reviews/index.ts';
import { type ChangedContent, changedContent, MAX_PAGES_OF_EVENT } from './changed-content.ts';
import { type Notification, notificationReason } from './notification.ts';
import { subscribeToChangeRequestChanges } from './subscribe-to-change-request-changes.ts';
import { subscribeToCommentChanges } from './subscribe-to-comment-changes.ts';
import { subscribeToNotifications } from './subscribe-to-notifications.ts';

const eventFields = <Event extends EventRow>(t: FieldsOf<Event>) => ({
  cursor: t.id({
    description: 'ID of the event, to continue after it with `after`. The same as `extensions.eventId`.',
    resolve: ({ id }) => id,
  }),
  kind: t.field({
    type: enumType(eventKind),
    description: 'Kind of the event.',
    resolve: ({ kind }) => kind,
  }),
  createdAt: t.field({ type: 'DateTime', description: 'Time of the event.', resolve: ({ createdAt }) => createdAt }),
  actor: t.field({
    type: UserType,
    nullable: true,
    description: 'User who caused the event. Null if no user did, or if the account no longer exists.',
    resolve: ({ actorId }, _args, ctx) => (actorId === null ? null : loadUser(ctx, actorId)),
  }),
});

const commentFields = <Event extends EventRow>(t: FieldsOf<Event>) => ({
  comment: t.field({
    type: CommentType,
    nullable: true,
    description:
      'Comment that the event, or the reply of the event, belongs to. Null without one, or if it was deleted.',
    resolve: ({ ids }, _args, ctx) => (ids.commentId === undefined ? null : loadComment(ctx, ids.commentId)),
  }),
  commentReply: t.field({
    type: ReplyType,
    nullable: true,
    description: 'Reply that the event belongs to. Null without one, or if it was deleted.',
    resolve: ({ ids }, _args, ctx) => (ids.commentReplyId === undefined ? null : loadReply(ctx, ids.commentReplyId)),
  }),
});

const deletedIdField = <Event extends EventRow>(t: FieldsOf<Event>) => ({
  deletedId: t.id({
    nullable: true,
    description: 'ID of the deleted comment (`comment_…`) or reply (`reply_…`). Null for other kinds of events.',
    resolve: ({ kind, ids }) => deletedIdOf(kind, ids),
  }),
});

function deletedIdOf(kind: EventRow['kind'], ids: EventRow['ids']): string | null {
  if (kind === 'comment_deleted') return ids.commentId ?? null;
  return kind === 'comment_reply_deleted' ? (ids.commentReplyId ?? null) : null;
}

const changeRequestFields = <Event extends EventRow>(t: FieldsOf<Event>) => ({
  changeRequest: t.field({
    type: ChangeRequestType,
    nullable: true,
    description: 'Change request that the event belongs to, as it is now. Null without one, or if it no longer exists.',
    resolve: ({ ids }, _args, ctx) =>
      ids.changeRequestId === undefined ? null : loadChangeRequest(ctx, ids.changeRequestId),
  }),
  review: t.field({
    type: ReviewType,
    nullable: true,
    description: 'Submitted review. Null for other kinds of events than `CHANGE_REQUEST_REVIEWED`.',
    resolve: ({ ids }, _args, ctx) => (ids.reviewId === undefined ? null : loadReview(ctx, ids.reviewId)),
  }),
});

const ChangedContentType = builder.objectRef<ChangedContent>('ChangedContent').implement({
  description: 'The pages that an edit changed, for caches of clients.',
  fields: (t) => ({
    pages: t.field({
      type: [PageNodeType],
      description: `New, changed and moved pages, as they are now, up to ${MAX_PAGES_OF_EVENT}. Their IDs are those of \`allPages\` and \`page\`. Without pages that were deleted since.`,
      resolve: ({ pages }) => pages,
    }),
    relatedPages: t.field({
      type: [PageNodeType],
      description: `Other pages whose fields changed, as they are now, up to ${MAX_PAGES_OF_EVENT}: parents with other child pages than before, pages below pages with a new path, and pages with another previous or next page.`,
      resolve: ({ relatedPages }) => relatedPages,
    }),
    deletedPageIds: t.field({
      type: ['ID'],
      description: `Values of \`id\` of deleted pages, up to ${MAX_PAGES_OF_EVENT}: \`page_…-in-space_…\` or \`page_…-in-cr_…\`.`,
      resolve: ({ deletedPageIds }) => deletedPageIds,
    }),
    hasMorePages: t.exposeBoolean('hasMorePages', {
      description:
        'Whether the list is incomplete: too many pages changed, or the event is from a version that did not record them. If so, read the tree again.',
    }),
  }),
});

const contentField = <Event extends EventRow>(t: FieldsOf<Event>) => ({
  content: t.field({
    type: ChangedContentType,
    nullable: true,
    description:
      'Pages that the event changed. Null for events that do not change pages, and if you have no role on the space.',
    resolve: (event, _args, ctx) => changedContent(ctx, event),
  }),
});

const SpaceChange = builder.objectRef<EventRow>('SpaceChange').implement({
  description:
    'A change to a space: its settings or its primary content. Objects are as they are now, not as the event left them.',
  fields: (t) => ({
    ...eventFields(t),
    actor: t.field({
      type: UserType,
      nullable: true,
      description:
        'User who caused the event. Null if no user did, if the account no longer exists, or if you have no role on the space.',
      resolve: async ({ actorId, spaceId }, _args, ctx) =>
        actorId !== null && spaceId !== null && (await hasRoleOnSpace(ctx, spaceId)) ? loadUser(ctx, actorId) : null,
    }),
    space: t.field({
      type: SpaceType,
      nullable: true,
      description: 'The space. Null if you can no longer see it.',
      resolve: ({ spaceId }, _args, ctx) => (spaceId === null ? null : loadSpace(ctx, spaceId)),
    }),
    changeRequest: t.field({
      type: ChangeRequestType,
      nullable: true,
      description: 'Change request whose merge changed the content. Null for other events.',
      resolve: ({ ids }, _args, ctx) =>
        ids.changeRequestId === undefined ? null : loadChangeRequest(ctx, ids.changeRequestId),
    }),
    ...contentField(t),
  }),
});

const CommentChange = builder.objectRef<EventRow>('CommentChange').implement({
  description:
    'A change to a comment or to one of its replies. Objects are as they are now, not as the event left them.',
  fields: (t) => ({ ...eventFields(t), ...commentFields(t), ...deletedIdField(t) }),
});

const ChangeRequestChange = builder.objectRef<EventRow>('ChangeRequestChange').implement({
  description:
    'A change to a change request: its content, status, reviews or comments. Objects are as they are now, not as the event left them.',
  fields: (t) => ({
    ...eventFields(t),
    ...changeRequestFields(t),
    requestedReviewer: t.field({
      type: UserType,
      nullable: true,
      description: 'User whose review was requested, or whose request was withdrawn. Null for other kinds of events.',
      resolve: ({ ids }, _args, ctx) => (ids.userId === undefined ? null : loadUser(ctx, ids.userId)),
    }),
    ...commentFields(t),
    ...deletedIdField(t),
    ...contentField(t),
  }),
});

const NotificationType = builder.objectRef<Notification>('Notification').implement({
  description: 'An event that concerns you. Notifications are not stored: nothing is read or unread.',
  fields: (t) => ({
    ...eventFields(t),
    reason: t.field({
      type: enumType(notificationReason),
      description:
        'Reason for the notification. If several reasons apply, the first of `MENTIONED`, `REPLIED` and `COMMENTED`.',
      resolve: ({ reason }) => reason,
    }),
    ...changeRequestFields(t),
    ...commentFields(t),
  }),
});

builder.subscriptionField('spaceChanged', (t) =>
  t.field({
    type: SpaceChange,
    description: `Delivers each change to the settings or the primary content of a space, with the pages that it changed, and to its Git synchronization if you have a role on the space. The stream ends with NOT_FOUND when the space is deleted or you can no longer see it. ${RESUMES}`,
    args: {
      spaceId: t.arg.id({ required: true, description: 'ID of the `Space` (`space_…`).' }),
      after: afterEvent(t),
    },
    subscribe: (_root, { spaceId, after }, ctx) => subscribeToSpace(ctx, { id: spaceId, after }),
    resolve: (event) => event,
  }),
);

builder.subscriptionField('commentChanged', (t) =>
  t.field({
    type: CommentChange,
    description: `Delivers each change to the comments on the primary content of a space or on a change request: comments and replies that are posted, edited, resolved, reopened or deleted. The stream ends with NOT_FOUND when you lose access. ${RESUMES}`,
    args: {
      spaceId: t.arg.id({ description: 'ID of the `Space` (`space_…`), for comments on its primary content.' }),
      changeRequestId: t.arg.id({ description: 'ID of the `ChangeRequest` (`cr_…`), for comments on it.' }),
      after: afterEvent(t),
    },
    subscribe: (_root, args, ctx) => subscribeToCommentChanges(ctx, args),
    resolve: (event) => event,
  }),
);

builder.subscriptionField('changeRequestChanged', (t) =>
  t.field({
    type: ChangeRequestChange,
    description: `Delivers each change to one change request or to all change requests of a space: new ones, their content, subject, status, reviews and comments. The stream ends with NOT_FOUND when you lose access. ${RESUMES}`,
    args: {
      spaceId: t.arg.id({ description: 'ID of the `Space` (`space_…`), for all its change requests.' }),
      changeRequestId: t.arg.id({ description: 'ID of the `ChangeRequest` (`cr_…`), for that one.' }),
      after: afterEvent(t),
    },
    subscribe: (_root, args, ctx) => subscribeToChangeRequestChanges(ctx, args),
    resolve: (event) => event,
  }),
);

builder.subscriptionField('notificationReceived', (t) =>
  t.field({
    type: NotificationType,
    description: `Delivers the events of an organization that concern you and that others caused: requested reviews, reviews, merges and comments of your change requests, replies, and mentions. Leaves out what you cannot see, and what was deleted. The stream ends with NOT_FOUND when you are no longer a member. ${RESUMES}`,
    args: {
      organizationId: t.arg.id({ required: true, description: 'ID of the `Organization` (`org_…`).' }),
      after: afterEvent(t),
    },
    subscribe: (_root, args, ctx) => subscribeToNotifications(ctx, args),
    resolve: (notification) => notification,
  }),
);
