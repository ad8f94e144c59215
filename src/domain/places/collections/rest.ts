import type { Row } from '../../../platform/database/tables.ts';
import { restOrder } from '../../../platform/http/rest-order.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { moveFromRest, restMove } from '../placement/index.ts';
import { createCollection } from './create-collection.ts';
import { deleteCollection } from './delete-collection.ts';
import { collectionOrderField } from './enums.ts';
import { getCollection } from './get-collection.ts';
import { listCollections, listCollectionsInCollection } from './list-collections.ts';
import { moveCollection } from './move-collection.ts';
import { collection } from './resources.ts';
import { updateCollection } from './update-collection.ts';

const changed = {
  response: resourceResponse(collection, (output: { collection: Row<'collection'> }) => output.collection),
};

export const collectionRoutes: Route[] = [
  listRoute('/v1/orgs/:organizationId/collections', listCollections, {
    operationId: 'listCollectionsInOrganizationById',
    ...restOrder(listCollections, collectionOrderField, 'newest first, or by position if `nested` is false'),
    response: resourceResponse(collection),
  }),
  route('POST', '/v1/orgs/:organizationId/collections', createCollection, {
    operationId: 'createCollection',
    status: 201,
    rename: { parent: 'parentId' },
    headers: (created, ctx) => ({ location: locationUrl(ctx, `/v1/collections/${created.collection.id}`) }),
    response: resourceResponse(collection, (created) => created.collection),
  }),
  route('GET', '/v1/collections/:collectionId', getCollection, {
    operationId: 'getCollectionById',
    response: resourceResponse(collection),
  }),
  route('PATCH', '/v1/collections/:collectionId', updateCollection, {
    operationId: 'updateCollectionById',
    ...changed,
  }),
  route('DELETE', '/v1/collections/:collectionId', deleteCollection, { operationId: 'deleteCollectionById' }),
  route('POST', '/v1/collections/:collectionId/move', moveCollection, {
    operationId: 'moveCollection',
    ...restMove,
    toInput: (input) => moveFromRest<Parameters<typeof moveCollection>[1]>(input),
    ...changed,
  }),
  listRoute('/v1/collections/:collectionId/collections', listCollectionsInCollection, {
    operationId: 'listCollectionsInCollectionById',
    response: resourceResponse(collection),
  }),
];
