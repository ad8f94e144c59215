import type { Row } from '../../../platform/database/tables.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { lookup } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { loadOrganization } from '../../people/organizations/index.ts';
import { createCollection } from './create-collection.ts';
import { deleteCollection } from './delete-collection.ts';
import { getCollection } from './get-collection.ts';
import {
  collectionsOfCollection,
  collectionsOfOrganization,
  listCollections,
  listCollectionsInCollection,
} from './list-collections.ts';
import { loadCollection } from './load.ts';
import { moveCollection } from './move-collection.ts';
import { collection } from './resources.ts';
import { updateCollection } from './update-collection.ts';

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
    list: ({ id }, args, ctx) => collectionsOfOrganization(ctx, id, args),
  }),
}));

/** Shows the row that the command returned: callers who removed their own access still see the result. */
const collectionField = (description: string) => ({
  collection: {
    type: CollectionType,
    description,
    resolve: (output: { collection: Row<'collection'> }) => output.collection,
  },
});

mutation(createCollection, collectionField('The new collection.'));
mutation(updateCollection, collectionField('The updated collection.'));
mutation(moveCollection, collectionField('The moved collection.'));

mutation(deleteCollection, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the deleted collection. Null if the collection did not exist or you cannot see it.',
    resolve: ({ deletedId }) => deletedId,
  },
  collection: {
    type: CollectionType,
    nullable: true,
    description: 'Parent that the content was moved to. Null at the top level, or if you cannot see it.',
    resolve: ({ parentId }, ctx) => (parentId === null ? null : loadCollection(ctx, parentId)),
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization that owned the collection. Null if you are not a member of it.',
    resolve: ({ organizationId }, ctx) => (organizationId === null ? null : loadOrganization(ctx, organizationId)),
  },
});
