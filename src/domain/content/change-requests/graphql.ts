import { afterEvent, RESUMES } from '../../../platform/graphql/after-event.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { orNull } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { UserType } from '../../people/users/graphql.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { createChangeRequest } from './create-change-request.ts';
import { toChangeRequestFilters } from './filters.ts';
import { getChangeRequest } from './get-change-request.ts';
import { changeRequestsOfSpace, listChangeRequests } from './list-change-requests.ts';
import { contributorsOf, listChangeRequestContributors } from './list-contributors.ts';
import { changeRequestsOfOrganization, listOrganizationChangeRequests } from './list-organization-change-requests.ts';
import { loadChangeRequest, loadChangeRequestByNumber } from './load.ts';
import { changeRequest } from './resources.ts';
import { subscribeToChangeRequest } from './subscribe-to-change-request.ts';
import { updateChangeRequest } from './update-change-request.ts';

export const ChangeRequestType = typeOf(changeRequest);

builder.objectFields(ChangeRequestType, (t) => ({
  space: t.field({
    type: SpaceType,
    nullable: true,
    description: 'Space that the change request belongs to. Null if you can no longer read it.',
    resolve: ({ spaceId }, _args, ctx) => loadSpace(ctx, spaceId),
  }),
  contributors: connection(t, {
    type: UserType,
    operation: listChangeRequestContributors,
    without: ['changeRequestId', 'spaceId'],
    from: ({ id }) => ({ changeRequestId: id }),
    list: ({ id }, _input, ctx) => contributorsOf(ctx, id),
  }),
}));

registerNode(ChangeRequestType, 'cr', loadChangeRequest);

readInGraph(getChangeRequest);
builder.queryField('changeRequest', (t) =>
  t.field({
    type: ChangeRequestType,
    nullable: true,
    description: 'Gets a change request by its ID. Null if it does not exist or you cannot see it.',
    args: { id: t.arg.id({ required: true, description: 'ID of the `ChangeRequest` (`cr_…`).' }) },
    resolve: (_root, { id }, ctx) => orNull(getChangeRequest(ctx, { changeRequestId: id })),
  }),
);

builder.objectFields(SpaceType, (t) => ({
  changeRequest: t.field({
    type: ChangeRequestType,
    nullable: true,
    description: 'Gets a change request of the space by its number. Null if it does not exist or you cannot see it.',
    args: { number: t.arg.int({ required: true, description: 'Number of the change request, starting at 1.' }) },
    resolve: ({ id }, { number }, ctx) => loadChangeRequestByNumber(ctx, id, number),
  }),
  changeRequests: connection(t, {
    type: ChangeRequestType,
    operation: listChangeRequests,
    description:
      'Lists the change requests of a space, most recently updated first. Empty if you have no role on the space.',
    parent: 'spaceId',
    list: ({ id }, input, ctx) => changeRequestsOfSpace(ctx, id, toChangeRequestFilters(input)),
  }),
}));

builder.objectFields(OrganizationType, (t) => ({
  changeRequests: connection(t, {
    type: ChangeRequestType,
    operation: listOrganizationChangeRequests,
    parent: 'organizationId',
    list: ({ id }, input, ctx) => changeRequestsOfOrganization(ctx, id, toChangeRequestFilters(input)),
  }),
}));

mutation(createChangeRequest, {
  changeRequest: {
    type: ChangeRequestType,
    description: 'The new change request. Its number is the next one in the space.',
    resolve: (changeRequest) => changeRequest,
  },
});

mutation(updateChangeRequest, {
  changeRequest: {
    type: ChangeRequestType,
    description: 'The updated change request.',
    resolve: (changeRequest) => changeRequest,
  },
});

builder.subscriptionField('changeRequestUpdated', (t) =>
  t.field({
    type: ChangeRequestType,
    nullable: true,
    description: `Delivers a change request each time it changes. The stream ends with NOT_FOUND when you lose access to it. ${RESUMES}`,
    args: {
      id: t.arg.id({ required: true, description: 'ID of the `ChangeRequest` (`cr_…`).' }),
      after: afterEvent(t),
    },
    subscribe: (_root, args, ctx) => subscribeToChangeRequest(ctx, args),
    resolve: (_event, { id }, ctx) => loadChangeRequest(ctx, id),
  }),
);
