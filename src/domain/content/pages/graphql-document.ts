import { builder } from '../../../platform/graphql/builder.ts';
import { graphFields } from '../../../platform/graphql/resource-type.ts';
import { markdownArguments, markdownReadingOf, readingArguments, readingOf } from '../rendering/graphql.ts';
import { renderBody, renderMarkdown } from '../rendering/index.ts';
import { PageCoverType, PageTagType } from './graphql-appearance.ts';
import { PageNodeType } from './graphql-node.ts';
import { ContentReference } from './graphql-reference.ts';
import { childPages, metaLinksOf, type PageView } from './page-view.ts';
import { pageBody } from './present.ts';
import { documentFields, documentPage } from './resources.ts';

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
  description: documentPage.description,
  interfaces: [PageNodeType],
  fields: (t) => ({
    ...graphFields(documentPage, t),
    pages: t.field({
      type: [PageNodeType],
      description: 'Child pages, in order.',
      resolve: (view, _args, ctx) => childPages(ctx, view),
    }),
    document: t.field({
      type: 'JSONObject',
      description: 'Body as a document in JSON. An empty document if the page has no body.',
      args: readingArguments,
      resolve: (view, args, ctx) => renderBody(ctx, pageBody(view), readingOf(args)),
    }),
    markdown: t.string({
      description: 'Body as Markdown with block extensions. With the default arguments, inputs accept it without loss.',
      args: markdownArguments,
      resolve: (view, args, ctx) => renderMarkdown(ctx, pageBody(view), markdownReadingOf(args)),
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
  }),
});
