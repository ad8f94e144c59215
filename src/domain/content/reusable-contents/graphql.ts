import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { ComputedSourceType } from '../pages/graphql.ts';
import { markdownArguments, markdownReadingOf, readingArguments, readingOf } from '../rendering/graphql.ts';
import { renderMarkdown } from '../rendering/index.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { findInRevision, idInRevision } from '../revisions/index.ts';
import { visibleContentsIn, visibleContentsOf } from '../visibility/index.ts';
import { getReusableContent } from './get-reusable-content.ts';
import { listReusableContents } from './list-reusable-contents.ts';
import { bodyOfReusableContent, renderReusableContent } from './render-reusable-content.ts';
import { reusableContent } from './resources.ts';

export const ReusableContentType = typeOf(reusableContent);

builder.objectFields(ReusableContentType, (t) => ({
  computed: t.field({
    type: ComputedSourceType,
    nullable: true,
    description: 'Source that the body is computed from. Null if the content has a body of its own.',
    resolve: ({ computed }) => computed ?? null,
  }),
  document: t.field({
    type: 'JSONObject',
    description: 'Body as a document in JSON. An empty document if there is no body.',
    args: readingArguments,
    resolve: (row, args, ctx) => renderReusableContent(ctx, row, readingOf(args)),
  }),
  markdown: t.string({
    description: 'Body as Markdown with block extensions. With the default arguments, inputs accept it without loss.',
    args: markdownArguments,
    resolve: async (row, args, ctx) =>
      renderMarkdown(ctx, await bodyOfReusableContent(ctx, row), markdownReadingOf(args)),
  }),
}));

registerNode(
  ReusableContentType,
  'reusable',
  (ctx, id) =>
    findInRevision(ctx, id, async (revision, contentId) =>
      (await visibleContentsIn(ctx, revision, [contentId])).get(contentId),
    ),
  {
    description: 'ID of the reusable content in this revision: `reusable_…-at-rev_…`.',
    resolve: ({ id, revisionId }) => idInRevision(id, revisionId),
  },
);

readInGraph(getReusableContent);
builder.objectFields(RevisionType, (t) => ({
  reusableContents: connection(t, {
    type: ReusableContentType,
    operation: listReusableContents,
    without: ['spaceId', 'revisionId', 'changeRequestId', 'metadata', 'computed'],
    from: ({ spaceId, id }) => ({ spaceId, revisionId: id }),
    list: (revision, _input, ctx) => visibleContentsOf(ctx, revision),
  }),
  reusableContent: t.field({
    type: ReusableContentType,
    nullable: true,
    description:
      'Gets a reusable content of the revision by its `reusableContentId`. Null if the revision has no such content.',
    args: { id: t.arg.id({ required: true, description: 'The `reusableContentId` of the content: `reusable_…`.' }) },
    resolve: async (revision, { id }, ctx) => (await visibleContentsIn(ctx, revision, [id])).get(id) ?? null,
  }),
}));
