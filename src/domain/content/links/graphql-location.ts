import { builder } from '../../../platform/graphql/builder.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { UserType } from '../../people/users/graphql.ts';
import { loadUser } from '../../people/users/index.ts';
import { CollectionType } from '../../places/collections/graphql.ts';
import { loadCollection } from '../../places/collections/index.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { ChangeRequestType } from '../change-requests/graphql.ts';
import { loadChangeRequest } from '../change-requests/index.ts';
import { FileType } from '../files/graphql.ts';
import { PageNodeType } from '../pages/graphql.ts';
import { ReusableContentType } from '../reusable-contents/graphql.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { type ContentLocation, linkedFile, pageAt, reusableContentAt, revisionIn } from './content-location.ts';
import { contentLocationKind } from './enums.ts';

export const ContentLocationType = builder.objectRef<ContentLocation>('ContentLocation');

/** The id, if the location is of this kind. */
const idOf = (location: ContentLocation, kind: 'space' | 'collection' | 'user') =>
  location.kind === kind ? location.id : undefined;

ContentLocationType.implement({
  description:
    'Location or target of a link. Which fields have a value depends on `kind`. A field is also null if its object does not exist ' +
    'or you cannot see it.',
  fields: (t) => ({
    kind: t.field({
      type: enumType(contentLocationKind),
      description: 'Type of the location.',
      resolve: ({ kind }) => kind,
    }),
    space: t.field({
      type: SpaceType,
      nullable: true,
      description: 'The space, or the space of the page, file or reusable content.',
      resolve: async (location, _args, ctx) => {
        const id = 'version' in location ? location.version.spaceId : idOf(location, 'space');
        return id === undefined ? null : ((await loadSpace(ctx, id)) ?? null);
      },
    }),
    page: t.field({
      type: PageNodeType,
      nullable: true,
      description: 'The page, in the version that contains the link. Null for other kinds.',
      resolve: async (location, _args, ctx) =>
        location.kind === 'page' ? ((await pageAt(ctx, location)) ?? null) : null,
    }),
    anchor: t.string({
      nullable: true,
      description: 'Anchor of the part of the page. Null if the location is not an anchor.',
      resolve: (location) => (location.kind === 'page' ? (location.anchor ?? null) : null),
    }),
    node: t.string({
      nullable: true,
      description: 'Key of the block with the link. Null if the link is in a field of the page.',
      resolve: (location) => ('node' in location ? (location.node ?? null) : null),
    }),
    file: t.field({
      type: FileType,
      nullable: true,
      description: 'The file. Null for other kinds.',
      resolve: async (location, _args, ctx) =>
        location.kind === 'file' ? ((await linkedFile(ctx, location)) ?? null) : null,
    }),
    reusableContent: t.field({
      type: ReusableContentType,
      nullable: true,
      description: 'The reusable content. Null for other kinds.',
      resolve: async (location, _args, ctx) =>
        location.kind === 'reusable-content' ? ((await reusableContentAt(ctx, location)) ?? null) : null,
    }),
    collection: t.field({
      type: CollectionType,
      nullable: true,
      description: 'The collection. Null for other kinds.',
      resolve: async (location, _args, ctx) => {
        const id = idOf(location, 'collection');
        return id === undefined ? null : ((await loadCollection(ctx, id)) ?? null);
      },
    }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'The user. Null for other kinds.',
      resolve: async (location, _args, ctx) => {
        const id = idOf(location, 'user');
        return id === undefined ? null : ((await loadUser(ctx, id)) ?? null);
      },
    }),
    url: t.string({
      nullable: true,
      description: 'The URL, as written in the content. Null for other kinds.',
      resolve: (location) => (location.kind === 'url' ? location.url : null),
    }),
    revision: t.field({
      type: RevisionType,
      nullable: true,
      description: 'Revision of the page, file or reusable content.',
      resolve: async (location, _args, ctx) =>
        'version' in location ? ((await revisionIn(ctx, location.version)) ?? null) : null,
    }),
    changeRequest: t.field({
      type: ChangeRequestType,
      nullable: true,
      description: 'Change request that contains the location. Null in the primary content.',
      resolve: async (location, _args, ctx) => {
        const id = 'version' in location ? location.version.changeRequestId : null;
        return id === null ? null : ((await loadChangeRequest(ctx, id)) ?? null);
      },
    }),
  }),
});
