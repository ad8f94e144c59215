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
  description: 'Canonical and alternate URLs of a page for search engines.',
  fields: (t) => ({
    canonical: t.field({
      type: ContentReference,
      nullable: true,
      description: 'The canonical page or URL, if this page duplicates another one.',
      resolve: ({ canonical }) => canonical ?? null,
    }),
    alternates: t.field({
      type: [ContentReference],
      description: 'Pages and URLs with the same content in other languages or versions, up to 100.',
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
      description: 'Description of the page. Null if it has none.',
      resolve: (view) => documentFields(view).description ?? null,
    }),
    pages: t.field({
      type: [PageNode],
      description: 'Child pages, in order.',
      resolve: (view, _args, ctx) => childPages(ctx, view),
    }),
    document: t.field({
      type: 'JSONObject',
      description: 'Body as a document in JSON. An empty document if the page has no body.',
      args: readingArguments,
      resolve: (view, args, ctx) => showBody(ctx, bodyOf(view), readingOf(args)),
    }),
    markdown: t.string({
      description: 'Body as Markdown with block extensions. With the default arguments, inputs accept it without loss.',
      args: markdownArguments,
      resolve: (view, args, ctx) => showMarkdown(ctx, bodyOf(view), markdownReadingOf(args)),
    }),
    documentId: t.id({
      nullable: true,
      description: 'ID of the body. Null if there is none. Equal bodies have equal IDs.',
      resolve: ({ page }) => (page.documentHash === null ? null : documentId(toBytes(page.documentHash))),
    }),
    layout: t.field({
      type: typeOf(layout),
      description: 'Which parts of the page are shown, and how.',
      resolve: (view) => layoutOf(documentFields(view).layout),
    }),
    cover: t.field({
      type: PageCoverType,
      nullable: true,
      description: 'Cover image of the page. Null if it has none.',
      resolve: (view) => documentFields(view).cover ?? null,
    }),
    tags: t.field({
      type: [PageTagType],
      description: 'Tags of the page in their order. Imports set them; they cannot be changed in this release.',
      resolve: (view) => documentFields(view).tags ?? [],
    }),
    metaLinks: t.field({
      type: MetaLinksType,
      description: 'Canonical and alternate URLs of the page for search engines.',
      resolve: metaLinksOf,
    }),
    variables: t.field({
      type: 'JSONObject',
      description: 'Variables that expressions on the page can use, by name.',
      resolve: (view) => documentFields(view).variables ?? {},
    }),
    noIndex: t.boolean({
      description: "Whether the page is excluded from the site's own search.",
      resolve: (view) => documentFields(view).noIndex ?? false,
    }),
    noRobotsIndex: t.boolean({
      description: 'Whether search engines are asked not to index the page.',
      resolve: (view) => documentFields(view).noRobotsIndex ?? false,
    }),
  }),
});
