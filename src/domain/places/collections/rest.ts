import { listRoute, type Route, route } from '../../../platform/http/route.ts';
import { createCollection } from './create-collection.ts';
import { getCollection } from './get-collection.ts';
import { listCollections, listCollectionsInCollection } from './list-collections.ts';
import { collectionShape, collectionUrls, presentCollection } from './present.ts';

export const collectionRoutes: Route[] = [
  listRoute('/v1/orgs/:organizationId/collections', listCollections, {
    operationId: 'listCollectionsInOrganizationById',
    shape: collectionShape,
    present: presentCollection,
  }),
  route('POST', '/v1/orgs/:organizationId/collections', createCollection, {
    operationId: 'createCollection',
    status: 201,
    rename: { parent: 'parentId' },
    headers: ({ collection }, ctx) => ({ location: collectionUrls(ctx, collection.id).location }),
    shape: collectionShape,
    present: ({ collection }, ctx) => presentCollection(collection, ctx),
  }),
  route('GET', '/v1/collections/:collectionId', getCollection, {
    operationId: 'getCollectionById',
    shape: collectionShape,
    present: presentCollection,
  }),
  listRoute('/v1/collections/:collectionId/collections', listCollectionsInCollection, {
    operationId: 'listCollectionsInCollectionById',
    shape: collectionShape,
    present: presentCollection,
  }),
];
