import { notFound } from '../../../platform/errors.ts';
import { builder, type FieldsOf, type TypeRef } from '../../../platform/graphql/builder.ts';
import { connection, connectionType } from '../../../platform/graphql/connection.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { ChangeRequestType } from '../change-requests/graphql.ts';
import { FileType } from '../files/graphql.ts';
import { PageNode } from '../pages/graphql.ts';
import type { PageView } from '../pages/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { type Backlink, backlinksOf } from './backlinks-of.ts';
import { holderOf, targetOf } from './content-location.ts';
import { linkRelation, linkStatus } from './enums.ts';
import { ContentLocationType } from './graphql-location.ts';
import { type Link, type LinkList, type LinkStats, linksOf } from './links-of.ts';
import { listFileBacklinks, listPageBacklinks } from './list-backlinks.ts';
import { contentOf, listChangeRequestLinks, listPageLinks, listSpaceLinks } from './list-links.ts';
import { headVersion, versionOf } from './versions.ts';

const ContentLinkType = builder.objectRef<Link>('ContentLink').implement({
  description: 'A reference in content: where it stands, what it names, and what became of that.',
  fields: (t) => ({
    status: t.field({
      type: enumType(linkStatus),
      description: 'What became of its target.',
      resolve: ({ status }) => status,
    }),
    relation: t.field({
      type: enumType(linkRelation),
      description: 'What it is to the content that holds it.',
      resolve: ({ relation }) => relation,
    }),
    ref: t.field({
      type: 'JSONObject',
      description: 'The reference as it was written: `{ kind, … }` with the ids that its kind has.',
      resolve: ({ ref }) => ref,
    }),
    targetReference: t.field({
      type: ContentLocationType,
      nullable: true,
      description: 'Where it leads; null when that is not there, or nothing is known of it.',
      resolve: (link) => targetOf(link),
    }),
    locationReferences: t.field({
      type: [ContentLocationType],
      description: 'Where it stands.',
      resolve: ({ version, locationId: id, locationKind: kind, blockKey: node }) => [
        holderOf(version, { id, kind, node }),
      ],
    }),
  }),
});

const BrokenStatsType = builder.objectRef<LinkStats>('BrokenLinkStats').implement({
  description: 'How many links are broken.',
  fields: (t) => ({
    total: t.int({ description: 'All whose target is not there, or not for you.', resolve: ({ broken }) => broken }),
    changeRequest: t.int({
      nullable: true,
      description: 'Those that the change request broke; null in primary content.',
      resolve: ({ brokenByChangeRequest }) => brokenByChangeRequest,
    }),
  }),
});

const StatsType = builder.objectRef<LinkStats>('LinkStats').implement({
  description: 'How many links there are, whatever the list is filtered by.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'All links.' }),
    broken: t.field({ type: BrokenStatsType, description: 'Those that lead nowhere.', resolve: (stats) => stats }),
  }),
});

builder.objectFields(connectionType('ContentLink', ContentLinkType), (t) => ({
  stats: t.field({
    type: StatsType,
    description: 'Counts over all pages of the list. Counting reads every link, and is done only when asked for.',
    resolve: ({ listed }) => (listed as LinkList).stats(), // every list of links is one
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
      linksOf(ctx, await contentOf(ctx, changeRequest), {
        status: status ?? undefined,
        brokenContext: brokenContext ?? undefined,
        isChangeRequest: true,
      }),
  }),
}));

/** A backlink is a location, with what its place in the list is made of. */
const BacklinkType = ContentLocationType as unknown as TypeRef<Backlink>;

const ofPage = ({ page, revision }: PageView) => ({
  spaceId: revision.spaceId,
  revisionId: revision.id,
  pageId: page.pageId,
});

builder.interfaceFields(PageNode, (fields) => {
  // Fields of an interface are built like those of an object.
  const t = fields as unknown as FieldsOf<PageView>;
  return {
    links: connection(t, {
      type: ContentLinkType,
      operation: listPageLinks,
      without: ['spaceId', 'revisionId', 'changeRequestId', 'pageId'],
      from: ofPage,
      list: async ({ page, revision }, { status }, ctx) =>
        linksOf(ctx, await versionOf(ctx, revision), {
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
        backlinksOf(ctx, await versionOf(ctx, revision), { target: 'page', id: page.pageId }),
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
      return backlinksOf(ctx, await versionOf(ctx, revision), { target: 'file', id });
    },
  }),
}));
