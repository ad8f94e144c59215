import type { DocumentFields } from '../../../lib/tree/node.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { documentId } from '../../../platform/ids.ts';
import { toBytes } from '../../store/revisions/index.ts';
import { markdownArguments, markdownReadingOf, readingArguments, readingOf } from '../rendering/graphql.ts';
import { showBody, showMarkdown } from '../rendering/index.ts';
import { PageCoverType, PageTagType } from './graphql-appearance.ts';
import { PageNode } from './graphql-node.ts';
import { ContentReference } from './graphql-reference.ts';
import { layout, layoutOf } from './layout.ts';
import { metaLinksOf } from './meta-links.ts';
import { childPages, type PageView } from './page-view.ts';
import { bodyOf } from './present.ts';

const documentFields = ({ page }: PageView): Partial<DocumentFields> =>
  page.node.kind === 'document' ? page.node.fields : {};

const MetaLinksType = builder.objectRef<ReturnType<typeof metaLinksOf>>('PageMetaLinks').implement({
  description: 'What search engines are told of a page, beside what is on it.',
  fields: (t) => ({
    canonical: t.field({
      type: ContentReference,
      nullable: true,
      description: 'The page or address that this page repeats; null where it repeats none.',
      resolve: ({ canonical }) => canonical ?? null,
    }),
    alternates: t.field({
      type: [ContentReference],
      description: 'Pages and addresses that say the same in other languages or versions, at most 100.',
      resolve: ({ alternates }) => alternates,
    }),
  }),
});

export const DocumentPage = builder.objectRef<PageView>('DocumentPage').implement({
  description: 'A page with a body.',
  interfaces: [PageNode],
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
      args: readingArguments,
      resolve: (view, args, ctx) => showBody(ctx, bodyOf(view), readingOf(args)),
    }),
    markdown: t.string({
      description: 'The body as Markdown with block extensions. It can be written back.',
      args: markdownArguments,
      resolve: (view, args, ctx) => showMarkdown(ctx, bodyOf(view), markdownReadingOf(args)),
    }),
    documentId: t.id({
      nullable: true,
      description: 'Names the body: equal bodies have equal ids. Null when there is none.',
      resolve: ({ page }) => (page.documentHash === null ? null : documentId(toBytes(page.documentHash))),
    }),
    layout: t.field({
      type: typeOf(layout),
      description: 'Which parts of the page are shown.',
      resolve: (view) => layoutOf(documentFields(view).layout),
    }),
    cover: t.field({
      type: PageCoverType,
      nullable: true,
      description: 'The cover image; null when there is none.',
      resolve: (view) => documentFields(view).cover ?? null,
    }),
    tags: t.field({
      type: [PageTagType],
      description: 'The tags that the page has. There are none yet.',
      resolve: (view) => documentFields(view).tags ?? [],
    }),
    metaLinks: t.field({
      type: MetaLinksType,
      description: 'What search engines are told of the page.',
      resolve: metaLinksOf,
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
  }),
});
