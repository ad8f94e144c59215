import { type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { collection } from '../collections/index.ts';
import { space } from '../spaces/index.ts';
import { transferCollection } from './transfer-collection.ts';
import { transferSpace } from './transfer-space.ts';

const rename = { organization: 'organizationId' } as const;

export const transferRoutes: Route[] = [
  route('POST', '/v1/spaces/:spaceId/transfer', transferSpace, {
    operationId: 'transferSpace',
    rename,
    response: resourceResponse(space, (output) => output.space),
  }),
  route('POST', '/v1/collections/:collectionId/transfer', transferCollection, {
    operationId: 'transferCollection',
    rename,
    response: resourceResponse(collection, (output) => output.collection),
  }),
];
