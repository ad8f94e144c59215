import { notFound } from '../../../platform/errors/errors.ts';
import { builder, type FieldsOf, type TypeRef } from '../../../platform/graphql/builder.ts';
import { connection, connectionType } from '../../../platform/graphql/connection.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { ChangeRequestType } from '../change-requests/graphql.ts';
import { FileType } from '../files/graphql.ts';
import { PageNodeType } from '../pages/graphql.ts';
import type { PageView } from '../pages/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { type Backlink, backlinksOf } from './backlinks-of.ts';
import { linkedLocation } from './content-location.ts';
import { ContentLocationType } from './graphql-location.ts';
import { type LinkList, linksOf } from './links-of.ts';
import { listFileBacklinks, listPageBacklinks } from './list-backlinks.ts';
import { changeRequestVersion, listChangeRequestLinks, listPageLinks, listSpaceLinks } from './list-links.ts';
import { contentLink, linkStats, locationOf } from './resources.ts';
import { headVersion, linkVersion } from './versions.ts';

const ContentLinkType = typeOf(contentLink);

builder.objectFields(ContentLinkType, (t) => ({
  targetReference: t.field({
    type: ContentLocationType,
    nullable: true,
    description: 'Target of the link. Null if the target does not exist or you cannot see it.',
    resolve: (link) => linkedLocation(link),
  }),
  locationReferences: t.field({
    type: [ContentLocationType],
    description: 'Location of the link.',
    resolve: (link) => [locationOf(link)],
  }),
}));

builder.objectFields(connectionType('ContentLink', ContentLinkType), (t) => ({
  stats: t.field({
    type: typeOf(linkStats),
    description: 'Counts of all links, not only of this page of the list. Selecting them reads every link.',
    resolve: ({ listed }) => (listed as LinkList).stats(), // all lists of links are
  }),
}));

builder.objectFields(SpaceType, (t) => ({
  links: connection(t, {
    type: ContentLinkType,
    operation: listSpaceLinks,
    without: ['spaceId'],
    from: ({ id }) => ({ spaceId: id }),
    list: ({ id, organizationId }, { status }, ctx) =>
      linksOf(ctx, headVersion(id, organizationId), { status: status ?? undefined }),
  }),
}));

builder.objectFields(ChangeRequestType, (t) => ({
  links: connection(t, {
    type: ContentLinkType,
    operation: listChangeRequestLinks,
    without: ['changeRequestId', 'spaceId'],
    from: ({ id }) => ({ changeRequestId: id }),
    list: async (changeRequest, { status, brokenContext }, ctx) =>
      linksOf(ctx, await changeRequestVersion(ctx, changeRequest), {
        status: status ?? undefined,
        brokenContext: brokenContext ?? undefined,
        isChangeRequest: true,
      }),
  }),
}));

/** A backlink is a location with the columns of its cursor. */
export const BacklinkType = ContentLocationType as unknown as TypeRef<Backlink>;
export { ContentLocationType } from './graphql-location.ts';

const ofPage = ({ page, revision }: PageView) => ({
  spaceId: revision.spaceId,
  revisionId: revision.id,
  pageId: page.pageId,
});

builder.interfaceFields(PageNodeType, (fields) => {
  // Fields of an interface are built like those of an object.
  const t = fields as unknown as FieldsOf<PageView>;
  return {
    links: connection(t, {
      type: ContentLinkType,
      operation: listPageLinks,
      without: ['spaceId', 'revisionId', 'changeRequestId', 'pageId'],
      from: ofPage,
      list: async ({ page, revision }, { status }, ctx) =>
        linksOf(ctx, await linkVersion(ctx, revision), {
          pageId: page.pageId,
          status: status ?? undefined,
          isChangeRequest: revision.changeRequestId !== null,
        }),
    }),
    backlinks: connection(t, {
      type: BacklinkType,
      operation: listPageBacklinks,
      without: ['spaceId', 'revisionId', 'changeRequestId', 'pageId'],
      from: ofPage,
      list: async ({ page, revision }, _input, ctx) =>
        backlinksOf(ctx, await linkVersion(ctx, revision), { target: 'page', id: page.pageId }),
    }),
  };
});

builder.objectFields(FileType, (t) => ({
  backlinks: connection(t, {
    type: BacklinkType,
    operation: listFileBacklinks,
    without: ['spaceId', 'revisionId', 'changeRequestId', 'fileId'],
    nullable: true,
    from: ({ id, revisionId }) => ({ spaceId: '', revisionId, fileId: id }),
    list: async ({ id, revisionId }, _input, ctx) => {
      const revision = await loadRevision(ctx, revisionId);
      if (!revision) throw notFound('file', id);
      return backlinksOf(ctx, await linkVersion(ctx, revision), { target: 'file', id });
    },
  }),
}));
