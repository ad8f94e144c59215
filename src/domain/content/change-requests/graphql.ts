import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { readInGraph } from '../../../platform/graphql/coverage.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { orNull } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { versionField } from '../../../platform/graphql/version-field.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { UserType } from '../../people/users/graphql.ts';
import { loadUser } from '../../people/users/index.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import type { ChangeRequestRow } from './access.ts';
import { createChangeRequest } from './create-change-request.ts';
import { changeRequestStatus } from './enums.ts';
import { filtersOf } from './filters.ts';
import { getChangeRequest } from './get-change-request.ts';
import { changeRequestsOfSpace, listChangeRequests } from './list-change-requests.ts';
import { contributorsOf, listChangeRequestContributors } from './list-contributors.ts';
import { changeRequestsOfOrganization, listOrganizationChangeRequests } from './list-organization-change-requests.ts';
import { loadChangeRequest, loadChangeRequestByNumber } from './load.ts';
import { isOutdated } from './outdated.ts';
import { changeRequestUrls } from './present.ts';
import { subscribeToChangeRequest } from './subscribe-to-change-request.ts';
import { updateChangeRequest } from './update-change-request.ts';

const UrlsType = builder.objectRef<ReturnType<typeof changeRequestUrls>>('ChangeRequestUrls').implement({
  description: 'Addresses of a change request.',
  fields: (t) => ({
    location: t.expose('location', { type: 'URL', description: 'The change request in REST.' }),
    app: t.expose('app', { type: 'URL', description: 'A page for people that says how to read the change request.' }),
  }),
});

export const ChangeRequestType = builder.objectRef<ChangeRequestRow>('ChangeRequest').implement({
  description: 'A proposed edit of a space, with content of its own until it is merged.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Its number within the space, from 1. Never used again.' }),
    subject: t.exposeString('subject', { description: 'What it is about, up to 100 characters; may be empty.' }),
    status: t.expose('status', { type: enumType(changeRequestStatus), description: 'Where it stands.' }),
    description: t.expose('description', {
      type: 'JSON',
      nullable: true,
      description: 'What it does and why, as a document: `{ object: "document", data, nodes }`. Null without one.',
    }),
    createdBy: t.field({
      type: UserType,
      nullable: true,
      description: 'Who created it; null once the account is gone.',
      resolve: ({ createdBy }, _args, ctx) => loadUser(ctx, createdBy),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When its content, subject, description or status last changed.',
    }),
    mergedAt: t.expose('mergedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was merged, if it was.',
    }),
    mergedBy: t.field({
      type: UserType,
      nullable: true,
      description: 'Who merged it, if it was merged.',
      resolve: ({ mergedBy }, _args, ctx) => (mergedBy === null ? null : loadUser(ctx, mergedBy)),
    }),
    space: t.field({
      type: SpaceType,
      nullable: true,
      description: 'The space that it would change; null once you may not read it any more.',
      resolve: ({ spaceId }, _args, ctx) => loadSpace(ctx, spaceId),
    }),
    outdated: t.boolean({
      description: 'Whether the primary content has moved on since it was created or last updated. False once merged.',
      resolve: (changeRequest, _args, ctx) => isOutdated(ctx, changeRequest),
    }),
    contributors: connection(t, {
      type: UserType,
      operation: listChangeRequestContributors,
      without: ['changeRequestId', 'spaceId'],
      from: ({ id }) => ({ changeRequestId: id }),
      list: ({ id }, _input, ctx) => contributorsOf(ctx, id),
    }),
    version: versionField(t),
    urls: t.field({
      type: UrlsType,
      description: 'Addresses of this change request.',
      resolve: (changeRequest, _args, ctx) => changeRequestUrls(changeRequest, ctx),
    }),
  }),
});

registerNode(ChangeRequestType, 'cr', loadChangeRequest);

readInGraph(getChangeRequest);
builder.queryField('changeRequest', (t) =>
  t.field({
    type: ChangeRequestType,
    nullable: true,
    description: `${getChangeRequest.description} Null when there is none that the viewer may see.`,
    args: { id: t.arg.id({ required: true, description: 'Id of a ChangeRequest (`cr_…`).' }) },
    resolve: (_root, { id }, ctx) => orNull(getChangeRequest(ctx, { changeRequestId: id })),
  }),
);

builder.objectFields(SpaceType, (t) => ({
  changeRequest: t.field({
    type: ChangeRequestType,
    nullable: true,
    description: 'A change request of this space by its number. Null when there is none that the viewer may see.',
    args: { number: t.arg.int({ required: true, description: 'The number, from 1.' }) },
    resolve: ({ id }, { number }, ctx) => loadChangeRequestByNumber(ctx, id, number),
  }),
  changeRequests: connection(t, {
    type: ChangeRequestType,
    operation: listChangeRequests,
    description: 'Its change requests, last changed first. None for those without a role on the space.',
    without: ['spaceId'],
    from: ({ id }) => ({ spaceId: id }),
    list: ({ id }, input, ctx) => changeRequestsOfSpace(ctx, id, filtersOf(input)),
  }),
}));

builder.objectFields(OrganizationType, (t) => ({
  changeRequests: connection(t, {
    type: ChangeRequestType,
    operation: listOrganizationChangeRequests,
    without: ['organizationId'],
    from: ({ id }) => ({ organizationId: id }),
    list: ({ id }, input, ctx) => changeRequestsOfOrganization(ctx, id, filtersOf(input)),
  }),
}));

mutation(createChangeRequest, {
  changeRequest: {
    type: ChangeRequestType,
    description: 'The new change request, with the next number of its space.',
    resolve: (changeRequest) => changeRequest,
  },
});

mutation(updateChangeRequest, {
  changeRequest: {
    type: ChangeRequestType,
    description: 'The change request as it is now.',
    resolve: (changeRequest) => changeRequest,
  },
});

builder.subscriptionField('changeRequestUpdated', (t) =>
  t.field({
    type: ChangeRequestType,
    nullable: true,
    description:
      'A change request whenever something happens to it, for those who may read it: the stream ends with NOT_FOUND for who ' +
      'may not any more. After a break, `Last-Event-ID` or `after` goes on without a gap.',
    args: {
      id: t.arg.id({ required: true, description: 'Id of the change request (`cr_…`).' }),
      after: t.arg.id({
        description: 'Begins behind this event: the last that you have, by `extensions.eventId`. Default: from now on.',
      }),
    },
    subscribe: (_root, args, ctx) => subscribeToChangeRequest(ctx, args),
    resolve: (_event, { id }, ctx) => loadChangeRequest(ctx, id),
  }),
);
