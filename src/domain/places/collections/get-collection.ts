import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { collectionFor } from './access.ts';

export const getCollection = query({
  name: 'getCollection',
  description: 'Gets a collection.',
  input: z.object({ collectionId: idOf('collection') }),
  run: (ctx, { collectionId }) => collectionFor(ctx, collectionId, permissions.getCollection.collection),
});
