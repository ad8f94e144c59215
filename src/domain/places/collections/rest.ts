import { answering, listRoute, type Route, route } from '../../../platform/http/route.ts';
import { locationUrl } from '../../../platform/urls.ts';
import { createCollection } from './create-collection.ts';
import { getCollection } from './get-collection.ts';
import { listCollections, listCollectionsInCollection } from './list-collections.ts';
import { collection } from './resources.ts';

export const collectionRoutes: Route[] = [
  listRoute('/v1/orgs/:organizationId/collections', listCollections, {
    operationId: 'listCollectionsInOrganizationById',
    answers: answering(collection),
  }),
  route('POST', '/v1/orgs/:organizationId/collections', createCollection, {
    operationId: 'createCollection',
    status: 201,
    rename: { parent: 'parentId' },
    headers: (created, ctx) => ({ location: locationUrl(ctx, `/v1/collections/${created.collection.id}`) }),
    answers: answering(collection, (created) => created.collection),
  }),
  route('GET', '/v1/collections/:collectionId', getCollection, {
    operationId: 'getCollectionById',
    answers: answering(collection),
  }),
  listRoute('/v1/collections/:collectionId/collections', listCollectionsInCollection, {
    operationId: 'listCollectionsInCollectionById',
    answers: answering(collection),
  }),
];
