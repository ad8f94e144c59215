import { listRoute, type Route, route } from '../../platform/http/route.ts';
import { createCollection } from './create-collection.ts';
import { getCollection } from './get-collection.ts';
import { listCollections, listCollectionsInCollection } from './list-collections.ts';
import { collectionUrls, presentCollection } from './present.ts';

export const collectionRoutes: Route[] = [
  listRoute('/v1/orgs/:organizationId/collections', listCollections, {
    operationId: 'listCollectionsInOrganizationById',
    present: presentCollection,
  }),
  route('POST', '/v1/orgs/:organizationId/collections', createCollection, {
    operationId: 'createCollection',
    status: 201,
    rename: { parent: 'parentId' },
    headers: ({ collection }, ctx) => ({ location: collectionUrls(ctx, collection.id).location }),
    present: ({ collection }, ctx) => presentCollection(collection, ctx),
  }),
  route('GET', '/v1/collections/:collectionId', getCollection, {
    operationId: 'getCollectionById',
    present: presentCollection,
  }),
  listRoute('/v1/collections/:collectionId/collections', listCollectionsInCollection, {
    operationId: 'listCollectionsInCollectionById',
    present: presentCollection,
  }),
];
