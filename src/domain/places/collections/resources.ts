import { atLeast } from '../../../platform/access/roles.ts';
import type { Row } from '../../../platform/database/tables.ts';
import type { Resource } from '../../../platform/resource/field.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { appUrl, locationUrl } from '../../../platform/resource/urls.ts';
import { type Access, accessLoader, contentLevel, levelInGraph, levelInRest } from '../../people/access/index.ts';
import { loadOrganization, organization } from '../../people/organizations/index.ts';
import { visibleParent, visibleParentId } from './visible-parent.ts';

const collectionUrls = resource<Row<'collection'>>(
  { name: 'CollectionUrls', description: 'API and web URLs of a collection.' },
  (f) => ({
    location: f.url('URL of the collection in the REST API.', ({ id }, ctx) =>
      locationUrl(ctx, `/v1/collections/${id}`),
    ),
    app: f.url('URL of the collection in the web application.', ({ id }, ctx) => appUrl(ctx, `/collections/${id}`)),
  }),
);

const collectionPermissions = resource<Pick<Access, 'role'>>(
  { name: 'CollectionPermissions', description: 'Your permissions on a collection.' },
  (f) => ({
    view: f.boolean('You can see the collection and its content.', ({ role }) => atLeast(role, 'read')),
    admin: f.boolean('You can change the settings and access of the collection, move it and delete it.', ({ role }) =>
      atLeast(role, 'admin'),
    ),
    viewInviteLinks: f.boolean('You can see the invite links of the collection.', ({ role }) => atLeast(role, 'admin')),
    create: f.boolean('You can create spaces and collections in the collection.', ({ role }) =>
      atLeast(role, 'create'),
    ),
  }),
);

export const collection: Resource<Row<'collection'>> = resource<Row<'collection'>>(
  {
    name: 'Collection',
    object: 'collection',
    node: 'collection',
    isVersioned: true,
    description: 'A folder of spaces and other collections in a common order.',
  },
  (f) => ({
    title: f.string('Name of the collection, up to 50 characters.', ({ title }) => title),
    description: f.string(
      'Description of the collection, up to 100 characters. May be empty.',
      (row) => row.description,
    ),
    createdAt: f.time('Time when the collection was created.', ({ createdAt }) => createdAt, { rest: false }),
    updatedAt: f.time('Time when the collection was last changed.', ({ updatedAt }) => updatedAt, { rest: false }),
    organization: f.reference(
      () => organization,
      'Organization that owns the collection. In GraphQL, null if you are not a member of it.',
      {
        prefix: 'org',
        isRequired: true,
        id: ({ organizationId }) => organizationId,
        load: ({ organizationId }, ctx) => loadOrganization(ctx, organizationId),
      },
    ),
    parent: f.reference(
      () => collection,
      'Collection that contains this collection. Null at the top level, or if you cannot see that collection.',
      {
        prefix: 'collection',
        id: ({ id }, ctx) => visibleParentId(ctx, id),
        load: ({ id }, ctx) => visibleParent(ctx, id),
      },
    ),
    defaultLevel: f.apart({
      graph: f.enum(contentLevel)(
        'Default access of organization members to the collection and its content. Granted roles replace it.',
        ({ defaultLevel }) => levelInGraph(defaultLevel),
      ),
      rest: f
        .enum(contentLevel)
        .nullable(
          'Default access of organization members to the collection and its content. Granted roles replace it. Null if they have no access.',
          ({ defaultLevel }) => levelInRest(defaultLevel),
        ),
    }),
    urls: f.object(() => collectionUrls)('URLs of the collection.', (row) => row),
    permissions: f.object(() => collectionPermissions)(
      'Your permissions on the collection.',
      async ({ id }, ctx) => (await accessLoader.collection(ctx, id)) ?? { role: null },
    ),
  }),
);
