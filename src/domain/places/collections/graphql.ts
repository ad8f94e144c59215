import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { lookup } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { createCollection } from './create-collection.ts';
import { getCollection } from './get-collection.ts';
import {
  collectionsOfCollection,
  collectionsOfOrganization,
  listCollections,
  listCollectionsInCollection,
} from './list-collections.ts';
import { loadCollection } from './load.ts';
import { collection } from './resources.ts';

export const CollectionType = typeOf(collection);

registerNode(CollectionType, 'collection', loadCollection);

lookup('collection', getCollection, CollectionType, { id: 'collectionId' });

builder.objectFields(CollectionType, (t) => ({
  collections: connection(t, {
    type: CollectionType,
    operation: listCollectionsInCollection,
    parent: 'collectionId',
    list: ({ id }, _input, ctx) => collectionsOfCollection(ctx, id),
  }),
}));

builder.objectFields(OrganizationType, (t) => ({
  collections: connection(t, {
    type: CollectionType,
    operation: listCollections,
    parent: 'organizationId',
    list: ({ id }, { nested }, ctx) => collectionsOfOrganization(ctx, id, { nested }),
  }),
}));

mutation(createCollection, {
  collection: {
    type: CollectionType,
    description: 'The new collection.',
    resolve: (created) => created.collection,
  },
});
