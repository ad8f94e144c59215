import type { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { builder, type FieldsOf } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { orNull } from '../../../platform/graphql/lookup.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { parse } from '../../../platform/operation/operation.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { ChangeRequestType } from '../change-requests/graphql.ts';
import type { ReadRevision } from '../computed-sources/index.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { findInRevision, revisionName } from '../revisions/index.ts';
import { currentContentOf, partsOfId } from './current-content.ts';
import { getPage, pageOfRevision } from './get-page.ts';
import { DocumentPage } from './graphql-document.ts';
import { ComputedSourceType } from './graphql-kinds.ts';
import { PageNodeType, TYPE_OF_KIND } from './graphql-node.ts';
import { pagesPayload } from './graphql-payload.ts';
import { ContentReference } from './graphql-reference.ts';
import { allPagesOf, listAllPages, MAX_ALL_PAGES, noPages } from './list-all-pages.ts';
import { listPages } from './list-pages.ts';
import { type PageView, topPages } from './page-view.ts';

export { ComputedSourceType, ContentReference, DocumentPage, PageNodeType, pagesPayload };

registerNode(DocumentPage, 'page', async (ctx, id) => {
  const { pageId, ownerId } = partsOfId(id);
  if (ownerId === undefined) return findInRevision(ctx, id, (revision, inRevision) => find(ctx, revision, inRevision));
  const revision = await currentContentOf(ctx, ownerId);
  return revision && find(ctx, revision, pageId);
});

async function find(ctx: Context, revision: ReadRevision, pageId: string) {
  const view = await orNull(pageOfRevision(ctx, revision, pageId));
  return view && { ...view, __typename: TYPE_OF_KIND[view.page.kind] };
}

readInGraph(listPages);
readInGraph(getPage);

/** A field `page` that gets a page by its ID or path. */
const pageField = <Parent>(
  t: FieldsOf<Parent>,
  description: string,
  revisionOf: (parent: Parent, ctx: Context) => ReadRevision | Promise<ReadRevision | undefined>,
) =>
  t.field({
    type: PageNodeType,
    nullable: true,
    description: `${description} Requires exactly one of \`pageId\` and \`path\`. Null if there is no such page.`,
    args: {
      pageId: t.arg.id({ description: 'The `pageId` of the page (`page_…`), not the `id` of its node.' }),
      path: t.arg.string({
        description: 'Slugs from the top level down to the page, joined by "/". The empty path returns the home page.',
      }),
    },
    resolve: async (parent, { pageId, path: pathArg }, ctx) => {
      const { path } = parse(getPage.input.pick({ path: true }), { path: pathArg });
      if ((pageId == null) === (path == null))
        throw badInput(['path'], 'Pass exactly one of pageId and path.', 'ONE_OF');
      const revision = await revisionOf(parent as Parent, ctx);
      return revision ? orNull(pageOfRevision(ctx, revision, pageId ?? undefined, path ?? undefined)) : null;
    },
  });

type RevisionName = Pick<z.input<typeof listAllPages.input>, keyof typeof revisionName>;

/** A field `allPages` with the pages at all levels of a tree. */
const allPagesField = <Parent>(
  t: FieldsOf<Parent>,
  description: string,
  {
    from,
    revisionOf,
  }: {
    from(parent: Parent): RevisionName;
    revisionOf(parent: Parent, ctx: Context): ReadRevision | Promise<ReadRevision | undefined>;
  },
) =>
  connection<Parent, PageView, typeof listAllPages.input>(t, {
    type: PageNodeType,
    operation: listAllPages,
    description: `${description} ${listAllPages.description}`,
    maxSize: MAX_ALL_PAGES,
    without: Object.keys(revisionName) as (keyof typeof revisionName)[], // its keys
    from,
    async list(parent, choice, ctx) {
      const revision = await revisionOf(parent, ctx);
      return revision ? allPagesOf(ctx, revision, choice) : noPages;
    },
  });

const STABLE_ID = 'Its `id` stays the same when the content changes, so a client can keep the page in its cache.';

builder.objectFields(RevisionType, (t) => ({
  pages: t.field({
    type: [PageNodeType],
    description: 'Pages at the top level, in order.',
    resolve: (revision, _args, ctx) => topPages(ctx, revision),
  }),
  allPages: allPagesField(t, 'All pages of the revision.', {
    from: ({ spaceId, id }) => ({ spaceId, revisionId: id }),
    revisionOf: (revision) => revision,
  }),
  page: pageField(t, 'Gets a page of the revision by its ID or its path.', (revision) => revision),
}));

builder.objectFields(SpaceType, (t) => ({
  allPages: allPagesField(t, 'All pages of the current primary content. Empty once the space is deleted.', {
    from: ({ id }) => ({ spaceId: id }),
    revisionOf: ({ id }, ctx) => currentContentOf(ctx, id),
  }),
  page: pageField(t, `Gets a page of the current primary content by its ID or its path. ${STABLE_ID}`, ({ id }, ctx) =>
    currentContentOf(ctx, id),
  ),
}));

builder.objectFields(ChangeRequestType, (t) => ({
  allPages: allPagesField(t, 'All pages of the current content of the change request.', {
    from: ({ spaceId, id }) => ({ spaceId, changeRequestId: id }),
    revisionOf: ({ id }, ctx) => currentContentOf(ctx, id),
  }),
  page: pageField(
    t,
    `Gets a page of the current content of the change request by its ID or its path. ${STABLE_ID}`,
    ({ id }, ctx) => currentContentOf(ctx, id),
  ),
}));
