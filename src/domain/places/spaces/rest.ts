import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { restOrder } from '../../../platform/http/rest-order.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { mergeRulesFromRest, spaceMergeRulesShape } from '../../people/organizations/index.ts';
import { moveFromRest, restMove } from '../placement/index.ts';
import { createSpace } from './create-space.ts';
import { deleteSpace } from './delete-space.ts';
import { duplicateSpace } from './duplicate-space.ts';
import { spaceOrderField } from './enums.ts';
import { getSpace } from './get-space.ts';
import { listSpaces, listSpacesInCollection } from './list-spaces.ts';
import { moveSpace } from './move-space.ts';
import { space } from './resources.ts';
import { restoreSpace } from './restore-space.ts';
import { updateSpace } from './update-space.ts';

interface Changed {
  space: Row<'space'>;
}

const changed = { response: resourceResponse(space, (output: Changed) => output.space) };

const created = {
  status: 201,
  headers: (output: Changed, ctx: Context) => ({ location: locationUrl(ctx, `/v1/spaces/${output.space.id}`) }),
  ...changed,
};

const updateBody = updateSpace.input.extend({
  mergeRules: spaceMergeRulesShape.optional().describe('Conditions for merging change requests. Requires `admin`.'),
});

export const spaceRoutes: Route[] = [
  listRoute('/v1/orgs/:organizationId/spaces', listSpaces, {
    operationId: 'listSpacesInOrganizationById',
    ...restOrder(listSpaces, spaceOrderField, 'newest first'),
    response: resourceResponse(space),
  }),
  listRoute('/v1/collections/:collectionId/spaces', listSpacesInCollection, {
    operationId: 'listSpacesInCollectionById',
    response: resourceResponse(space),
  }),
  route('POST', '/v1/orgs/:organizationId/spaces', createSpace, {
    operationId: 'createSpace',
    rename: { parent: 'parentId' },
    ...created,
  }),
  route('GET', '/v1/spaces/:spaceId', getSpace, {
    operationId: 'getSpaceById',
    response: resourceResponse(space),
  }),
  route('PATCH', '/v1/spaces/:spaceId', updateSpace, {
    operationId: 'updateSpaceById',
    body: updateBody,
    renameInside: { users: 'userIds' },
    toInput: ({ mergeRules, ...input }) =>
      ({ ...input, mergeRules: mergeRulesFromRest(mergeRules) }) as Parameters<typeof updateSpace>[1], // untrusted; the operation checks it
    ...changed,
  }),
  route('DELETE', '/v1/spaces/:spaceId', deleteSpace, { operationId: 'deleteSpaceById' }),
  route('POST', '/v1/spaces/:spaceId/duplicate', duplicateSpace, { operationId: 'duplicateSpace', ...created }),
  route('POST', '/v1/spaces/:spaceId/restore', restoreSpace, { operationId: 'restoreSpace', ...changed }),
  route('POST', '/v1/spaces/:spaceId/move', moveSpace, {
    operationId: 'moveSpace',
    ...restMove,
    toInput: (input) => moveFromRest<Parameters<typeof moveSpace>[1]>(input),
    ...changed,
  }),
];
