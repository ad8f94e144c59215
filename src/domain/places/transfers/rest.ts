import { type Route, resourceAnswer, route } from '../../../platform/http/route.ts';
import { collection } from '../collections/index.ts';
import { space } from '../spaces/index.ts';
import { transferCollection } from './transfer-collection.ts';
import { transferSpace } from './transfer-space.ts';

const rename = { organization: 'organizationId' } as const;

export const transferRoutes: Route[] = [
  route('POST', '/v1/spaces/:spaceId/transfer', transferSpace, {
    operationId: 'transferSpace',
    rename,
    answers: resourceAnswer(space, (output) => output.space),
  }),
  route('POST', '/v1/collections/:collectionId/transfer', transferCollection, {
    operationId: 'transferCollection',
    rename,
    answers: resourceAnswer(collection, (output) => output.collection),
  }),
];
