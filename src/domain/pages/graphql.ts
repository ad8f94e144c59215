import type { DocumentFields } from '../../lib/tree/node.ts';
import { badInput } from '../../platform/errors.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { readInGraph } from '../../platform/graphql/coverage.ts';
import { enumType } from '../../platform/graphql/enums.ts';
import { orNull } from '../../platform/graphql/lookup.ts';
import { mutation, type PayloadField } from '../../platform/graphql/mutation.ts';
import { Node, registerNode } from '../../platform/graphql/node.ts';
import { documentId } from '../../platform/ids.ts';
import { namedEnum } from '../../platform/named-enum.ts';
import { ChangeRequestType } from '../change-requests/graphql.ts';
import { getChangeRequest } from '../change-requests/index.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { loadRevision, toBytes } from '../revisions/index.ts';
import { SpaceType } from '../spaces/graphql.ts';
import { getSpace } from '../spaces/index.ts';
import type { AppliedChange } from './edit-pages.ts';
import { getPage, pageOfRevision } from './get-page.ts';
import { layoutOf } from './layout.ts';
import { listPages } from './list-pages.ts';
import { childPages, type PageView, topPages } from './page-view.ts';
import { bodyOf, pageUrl } from './present.ts';
import { updateChangeRequestContent } from './update-change-request-content.ts';
import { updateSpaceContent } from './update-space-content.ts';

const evaluation = namedEnum(
  'Evaluation',
  'Whether expressions in a body are replaced by their values. Those that cannot be evaluated stay as they are, which in this release is all of them.',
  {
    true: 'All expressions.',
    false: 'None: expressions are given as they were written.',
    'deterministic-only': 'Only expressions whose inputs are the same for every reader.',
  },
);

const TYPE_OF_KIND = {
  document: 'DocumentPage',
  group: 'GroupPage',
  link: 'LinkPage',
  computed: 'ComputedPage',
} as const;

export const PageNode = builder.interfaceRef<PageView>('PageNode');

PageNode.implement({
  description:
    'An entry in the page tree of a revision. Its `pageId` is stable over revisions, its `id` names it in this one.',
  interfaces: [Node],
  resolveType: ({ page }) => TYPE_OF_KIND[page.kind],
  fields: (t) => ({
    pageId: t.id({
      description: 'Names the page in its space, in every revision.',
      resolve: ({ page }) => page.pageId,
    }),
    title: t.string({ description: 'What it is called, 1 to 255 characters.', resolve: ({ page }) => page.title }),
    linkTitle: t.string({
      nullable: true,
      description: 'A shorter title for the tree.',
      resolve: ({ page }) => page.node.fields.linkTitle ?? null,
    }),
    slug: t.string({
      nullable: true,
      description: 'Its part of the path, unique among its siblings; null for links.',
      resolve: ({ page }) => ('slug' in page.node.fields ? page.node.fields.slug : null),
    }),
    path: t.string({
      nullable: true,
      description: 'The slugs from the top down, joined by "/"; null for links.',
      resolve: ({ page }) => page.path,
    }),
    emoji: t.string({
      nullable: true,
      description: 'An emoji, or its code point in hex.',
      resolve: ({ page }) => page.node.fields.emoji ?? null,
    }),
    icon: t.string({
      nullable: true,
      description: 'Name of an icon.',
      resolve: ({ page }) => page.node.fields.icon ?? null,
    }),
    hidden: t.boolean({ description: 'Left out of the tree of a published site.', resolve: ({ page }) => page.hidden }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the page was made.',
      resolve: ({ page }) => page.node.createdAt,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When its own fields or body last changed.',
      resolve: ({ page }) => page.node.updatedAt,
    }),
    revision: t.field({
      type: RevisionType,
      description: 'The revision that this object belongs to.',
      resolve: ({ revision }) => revision,
    }),
  }),
});

const documentFields = ({ page }: PageView): Partial<DocumentFields> =>
  page.node.kind === 'document' ? page.node.fields : {};

builder.objectRef<PageView>('DocumentPage').implement({
  description: 'A page with a body.',
  interfaces: [PageNode, Node],
  fields: (t) => ({
    description: t.string({
      nullable: true,
      description: 'What it is about.',
      resolve: (view) => documentFields(view).description ?? null,
    }),
    pages: t.field({
      type: [PageNode],
      description: 'The pages below it, in order.',
      resolve: (view, _args, ctx) => childPages(ctx, view),
    }),
    document: t.field({
      type: 'JSONObject',
      description: 'The body as a document in JSON; an empty document when there is none.',
      args: {
        evaluated: t.arg({
          type: enumType(evaluation),
          description: 'Whether expressions are replaced by their values. Default `FALSE`.',
        }),
      },
      resolve: async (view, _args, ctx) => (await bodyOf(view, ctx)).body,
    }),
    markdown: t.string({
      description:
        'The body as Markdown with block extensions. References to pages and files are written by id (`page:page_…`), so it can be written back as it is.',
      resolve: async (view, _args, ctx) => (await bodyOf(view, ctx)).markdown,
    }),
    documentId: t.id({
      nullable: true,
      description: 'Names the body: equal bodies have equal ids. Null when there is none.',
      resolve: ({ page }) => (page.documentHash === null ? null : documentId(toBytes(page.documentHash))),
    }),
    layout: t.field({
      type: 'JSONObject',
      description: 'Which parts of the page are shown.',
      resolve: (view) => layoutOf(documentFields(view).layout),
    }),
    cover: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Cover image: `{ ref, refDark, yPos, height }`.',
      resolve: (view) => documentFields(view).cover ?? null,
    }),
    variables: t.field({
      type: 'JSONObject',
      description: 'Values that expressions on the page may use.',
      resolve: (view) => documentFields(view).variables ?? {},
    }),
    noIndex: t.boolean({
      description: "Left out of the site's own search.",
      resolve: (view) => documentFields(view).noIndex ?? false,
    }),
    noRobotsIndex: t.boolean({
      description: 'Search engines are asked not to index it.',
      resolve: (view) => documentFields(view).noRobotsIndex ?? false,
    }),
    urls: t.field({
      type: PageUrls(),
      description: 'Addresses of the page.',
      resolve: ({ page, revision }) => ({ spaceId: revision.space_id, pageId: page.pageId }),
    }),
  }),
});

function PageUrls() {
  return builder.objectRef<{ spaceId: string; pageId: string }>('PageUrls').implement({
    description: 'Addresses of a page.',
    fields: (t) => ({
      app: t.field({
        type: 'URL',
        description: 'In the application for people.',
        resolve: ({ spaceId, pageId }, _args, ctx) => pageUrl(ctx, spaceId, pageId),
      }),
    }),
  });
}

builder.objectRef<PageView>('GroupPage').implement({
  description: 'A heading in the tree, at the top level, with pages below it and no body.',
  interfaces: [PageNode, Node],
  fields: (t) => ({
    pages: t.field({
      type: [PageNode],
      description: 'The pages below it, in order.',
      resolve: (view, _args, ctx) => childPages(ctx, view),
    }),
  }),
});

/** A content reference as JSON has it, by its members. */
const ContentReference = builder.objectRef<Record<string, unknown>>('ContentReference').implement({
  description: 'Names something in content: a page, a file, an address and so on.',
  fields: (t) => ({
    kind: t.string({
      description: 'What is named: `url`, `page`, `anchor`, `file`, `space` and so on.',
      resolve: ({ kind }) => String(kind),
    }),
    ref: t.field({
      type: 'JSONObject',
      description: 'The whole reference: `{ kind, … }` with the ids that its kind has.',
      resolve: (ref) => ref,
    }),
  }),
});

builder.objectRef<PageView>('LinkPage').implement({
  description: 'An entry in the tree that leads elsewhere.',
  interfaces: [PageNode, Node],
  fields: (t) => ({
    target: t.field({
      type: ContentReference,
      nullable: true,
      description: 'Where it leads.',
      resolve: ({ page }) => ('target' in page.node.fields ? page.node.fields.target : null),
    }),
    href: t.string({
      nullable: true,
      description: 'The address, when it leads to one.',
      resolve: ({ page }) => {
        const target = 'target' in page.node.fields ? page.node.fields.target : undefined;
        return typeof target?.url === 'string' ? target.url : null;
      },
    }),
  }),
});

builder.objectRef<PageView>('ComputedPage').implement({
  description: 'Stands for pages that are computed from another source.',
  interfaces: [PageNode, Node],
  fields: (t) => ({
    computed: t.field({
      type: 'JSONObject',
      description: 'The source: `{ type, props, dependencies }`.',
      resolve: ({ page }) => ('computed' in page.node.fields ? (page.node.fields.computed ?? {}) : {}),
    }),
  }),
});

registerNode('page', async (ctx, id) => {
  const [pageId = '', revisionId] = id.split('-at-');
  const revision = revisionId === undefined ? undefined : await loadRevision(ctx, revisionId);
  const view = revision && (await orNull(pageOfRevision(ctx, revision, pageId)));
  return view && { ...view, __typename: TYPE_OF_KIND[view.page.kind] };
});

readInGraph(listPages);
readInGraph(getPage);
builder.objectFields(RevisionType, (t) => ({
  pages: t.field({
    type: [PageNode],
    description: 'The pages at the top of the tree, in order.',
    resolve: (revision, _args, ctx) => topPages(ctx, revision),
  }),
  page: t.field({
    type: PageNode,
    nullable: true,
    description: 'One page, by its id or its path: give exactly one. Null when there is none.',
    args: {
      pageId: t.arg.id({ description: 'The page by its stable id (`page_…`), not the id of its node.' }),
      path: t.arg.string({
        description: 'Its slugs from the top down, joined by "/". The empty path is the home page.',
      }),
    },
    resolve: (revision, { pageId, path }, ctx) => {
      if ((pageId == null) === (path == null)) throw badInput(['path'], 'Give exactly one of pageId and path.');
      return orNull(pageOfRevision(ctx, revision, pageId ?? undefined, path ?? undefined));
    },
  }),
}));

/** What both edits of content answer, beside the thing they edited. */
const contentPayload: Record<string, PayloadField<{ revisionId: string; applied: AppliedChange[] }>> = {
  revision: {
    type: RevisionType,
    description: 'The new revision; the one before when nothing changed.',
    resolve: ({ revisionId }, ctx) => loadRevision(ctx, revisionId),
  },
  pageIds: {
    type: ['ID'],
    description: 'The page that each change concerned, in the order of the changes.',
    resolve: ({ applied }) => applied.map(({ pageId }) => pageId),
  },
};

mutation(updateSpaceContent, {
  space: {
    type: SpaceType,
    description: 'The space, at its new revision.',
    resolve: ({ spaceId }, ctx) => getSpace(ctx, { spaceId }),
  },
  ...contentPayload,
});

mutation(updateChangeRequestContent, {
  changeRequest: {
    type: ChangeRequestType,
    description: 'The change request, at its new revision.',
    resolve: ({ changeRequestId }, ctx) => getChangeRequest(ctx, { changeRequestId }),
  },
  ...contentPayload,
});
