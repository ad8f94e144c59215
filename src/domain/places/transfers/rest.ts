import { answering, type Route, route } from '../../../platform/http/route.ts';
import { collection } from '../collections/index.ts';
import { space } from '../spaces/index.ts';
import { transferCollection } from './transfer-collection.ts';
import { transferSpace } from './transfer-space.ts';

const rename = { organization: 'organizationId' } as const;

export const transferRoutes: Route[] = [
  route('POST', '/v1/spaces/:spaceId/transfer', transferSpace, {
    operationId: 'transferSpace',
    rename,
    answers: answering(space, (output) => output.space),
  }),
  route('POST', '/v1/collections/:collectionId/transfer', transferCollection, {
    operationId: 'transferCollection',
    rename,
    answers: answering(collection, (output) => output.collection),
  }),
];
