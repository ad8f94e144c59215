import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { readInGraph } from '../../../platform/graphql/coverage.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { documentId } from '../../../platform/ids.ts';
import { type ReusableContentRow, reusableContentsIn, reusableContentsOf } from '../../store/manifests/index.ts';
import { toBytes } from '../../store/revisions/index.ts';
import { markdownArguments, markdownReadingOf, readingArguments, readingOf } from '../rendering/graphql.ts';
import { showMarkdown } from '../rendering/index.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { loadRevision } from '../revisions/index.ts';
import { getReusableContent } from './get-reusable-content.ts';
import { listReusableContents } from './list-reusable-contents.ts';
import { bodyOf, showReusableContent } from './show.ts';

const AT = '-at-';

export const ReusableContentType = builder.objectRef<ReusableContentRow>('ReusableContent').implement({
  description:
    'A body that pages show inside of theirs, in a revision. Its `reusableContentId` is stable over revisions, its `id` names it in this one.',
  fields: (t) => ({
    reusableContentId: t.exposeID('id', { description: 'Names it in its space, in every revision.' }),
    title: t.exposeString('title', { description: 'What it is called, 1 to 255 characters.' }),
    documentId: t.id({
      nullable: true,
      description: 'Names the body: equal bodies have equal ids. Null when there is none.',
      resolve: ({ documentHash }) => (documentHash === undefined ? null : documentId(toBytes(documentHash))),
    }),
    document: t.field({
      type: 'JSONObject',
      description: 'The body as a document in JSON; an empty document when there is none.',
      args: readingArguments,
      resolve: (row, args, ctx) => showReusableContent(ctx, row, readingOf(args)),
    }),
    markdown: t.string({
      description: 'The body as Markdown with block extensions. As it comes by default, it can be written back.',
      args: markdownArguments,
      resolve: async (row, args, ctx) => showMarkdown(ctx, await bodyOf(ctx, row), markdownReadingOf(args)),
    }),
  }),
});

registerNode(
  ReusableContentType,
  'reusable',
  async (ctx, id) => {
    const [reusableContentId = '', revisionId = ''] = id.split(AT);
    const revision = await loadRevision(ctx, revisionId);
    return revision && (await reusableContentsIn(ctx, revision, [reusableContentId])).get(reusableContentId);
  },
  {
    description: 'Names it in this revision: `reusable_…-at-rev_…`.',
    resolve: ({ id, revisionId }) => `${id}${AT}${revisionId}`,
  },
);

readInGraph(getReusableContent);
builder.objectFields(RevisionType, (t) => ({
  reusableContents: connection(t, {
    type: ReusableContentType,
    operation: listReusableContents,
    without: ['spaceId', 'revisionId', 'changeRequestId', 'metadata', 'computed'],
    from: ({ spaceId, id }) => ({ spaceId, revisionId: id }),
    list: (revision, _input, ctx) => reusableContentsOf(ctx, revision),
  }),
  reusableContent: t.field({
    type: ReusableContentType,
    nullable: true,
    description: 'A reusable content by its `reusableContentId`. Null when the revision has none with it.',
    args: { id: t.arg.id({ required: true, description: 'The `reusableContentId`: `reusable_…`.' }) },
    resolve: async (revision, { id }, ctx) => (await reusableContentsIn(ctx, revision, [id])).get(id) ?? null,
  }),
}));
