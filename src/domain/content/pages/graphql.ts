import { badInput } from '../../../platform/errors/errors.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { readInGraph } from '../../../platform/graphql/coverage.ts';
import { orNull } from '../../../platform/graphql/lookup.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { parse } from '../../../platform/operation/operation.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { findInRevision } from '../revisions/index.ts';
import { getPage, pageOfRevision } from './get-page.ts';
import { DocumentPage } from './graphql-document.ts';
import { ComputedSourceType } from './graphql-kinds.ts';
import { PageNode, TYPE_OF_KIND } from './graphql-node.ts';
import { listPages } from './list-pages.ts';
import { topPages } from './page-view.ts';

export { ComputedSourceType, DocumentPage, PageNode };

registerNode(DocumentPage, 'page', (ctx, id) =>
  findInRevision(ctx, id, async (revision, pageId) => {
    const view = await orNull(pageOfRevision(ctx, revision, pageId));
    return view && { ...view, __typename: TYPE_OF_KIND[view.page.kind] };
  }),
);

readInGraph(listPages);
readInGraph(getPage);
builder.objectFields(RevisionType, (t) => ({
  pages: t.field({
    type: [PageNode],
    description: 'Pages at the top level, in order.',
    resolve: (revision, _args, ctx) => topPages(ctx, revision),
  }),
  page: t.field({
    type: PageNode,
    nullable: true,
    description:
      'Gets a page of the revision by its ID or its path. Requires exactly one of the two. Null if the revision has no such page.',
    args: {
      pageId: t.arg.id({ description: 'The `pageId` of the page (`page_…`), not the `id` of its node.' }),
      path: t.arg.string({
        description: 'Slugs from the top level down to the page, joined by "/". The empty path returns the home page.',
      }),
    },
    resolve: (revision, { pageId, path: given }, ctx) => {
      const { path } = parse(getPage.input.pick({ path: true }), { path: given });
      if ((pageId == null) === (path == null)) throw badInput(['path'], 'Pass exactly one of pageId and path.');
      return orNull(pageOfRevision(ctx, revision, pageId ?? undefined, path ?? undefined));
    },
  }),
}));
