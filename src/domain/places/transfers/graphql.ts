import { mutation } from '../../../platform/graphql/mutation.ts';
import { CollectionType } from '../collections/graphql.ts';
import { SpaceType } from '../spaces/graphql.ts';
import { transferCollection } from './transfer-collection.ts';
import { transferSpace } from './transfer-space.ts';

mutation(transferSpace, {
  space: { type: SpaceType, description: 'The transferred space.', resolve: ({ space }) => space },
});

mutation(transferCollection, {
  collection: {
    type: CollectionType,
    description: 'The transferred collection.',
    resolve: ({ collection }) => collection,
  },
});
