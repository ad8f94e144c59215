import type { Row } from '../../../platform/database/tables.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { lookup } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { versionField } from '../../../platform/graphql/version-field.ts';
import { contentLevel, roleShown } from '../../people/access/index.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { loadOrganization } from '../../people/organizations/index.ts';
import { createCollection } from './create-collection.ts';
import { getCollection } from './get-collection.ts';
import {
  collectionsOfCollection,
  collectionsOfOrganization,
  listCollections,
  listCollectionsInCollection,
} from './list-collections.ts';
import { loadCollection } from './load.ts';
import { collectionPermissions, collectionUrls, type permissionsOf, visibleParent } from './present.ts';

const PermissionsType = builder.objectRef<ReturnType<typeof permissionsOf>>('CollectionPermissions').implement({
  description: 'What you may do with a collection.',
  fields: (t) => ({
    view: t.exposeBoolean('view', { description: 'See it and what it holds.' }),
    admin: t.exposeBoolean('admin', { description: 'Change its settings and access, move and delete it.' }),
    viewInviteLinks: t.exposeBoolean('viewInviteLinks', { description: 'See the links that invite people to it.' }),
    create: t.exposeBoolean('create', { description: 'Create spaces and collections in it.' }),
  }),
});

const UrlsType = builder.objectRef<ReturnType<typeof collectionUrls>>('CollectionUrls').implement({
  description: 'Addresses of a collection.',
  fields: (t) => ({
    location: t.expose('location', { type: 'URL', description: 'The collection in REST.' }),
    app: t.expose('app', { type: 'URL', description: 'A page for people that says how to read the collection.' }),
  }),
});

const CollectionRef = builder.objectRef<Row<'collection'>>('Collection');

export const CollectionType = CollectionRef.implement({
  description: 'A folder of spaces and other collections, which share one order.',
  fields: (t) => ({
    title: t.exposeString('title', { description: 'Its name, up to 50 characters.' }),
    description: t.exposeString('description', { description: 'What it holds, up to 100 characters; may be empty.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    organization: t.field({
      type: OrganizationType,
      nullable: true,
      description: 'The organization that owns it; null when you are no member of it.',
      resolve: ({ organizationId }, _args, ctx) => loadOrganization(ctx, organizationId),
    }),
    parent: t.field({
      type: CollectionRef,
      nullable: true,
      description: 'The collection it stands in; null at the top level, and when you may not see that collection.',
      resolve: ({ id }, _args, ctx) => visibleParent(ctx, id),
    }),
    collections: connection(t, {
      type: CollectionRef,
      operation: listCollectionsInCollection,
      without: ['collectionId'],
      from: ({ id }) => ({ collectionId: id }),
      list: ({ id }, _input, ctx) => collectionsOfCollection(ctx, id),
    }),
    defaultLevel: t.field({
      type: enumType(contentLevel),
      description: 'What members may do with it and what it holds, unless something else was granted.',
      resolve: ({ defaultLevel }) => roleShown(defaultLevel),
    }),
    version: versionField(t),
    urls: t.field({
      type: UrlsType,
      description: 'Addresses of this collection.',
      resolve: ({ id }, _args, ctx) => collectionUrls(ctx, id),
    }),
    permissions: t.field({
      type: PermissionsType,
      description: 'What you may do with it.',
      resolve: ({ id }, _args, ctx) => collectionPermissions(ctx, id),
    }),
  }),
});

registerNode(CollectionType, 'collection', loadCollection);

lookup('collection', getCollection, CollectionType, { id: 'collectionId' });

builder.objectFields(OrganizationType, (t) => ({
  collections: connection(t, {
    type: CollectionType,
    operation: listCollections,
    without: ['organizationId'],
    from: ({ id }) => ({ organizationId: id }),
    list: ({ id }, { nested }, ctx) => collectionsOfOrganization(ctx, id, { nested }),
  }),
}));

mutation(createCollection, {
  collection: {
    type: CollectionType,
    description: 'The new collection.',
    resolve: ({ collection }) => collection,
  },
});
