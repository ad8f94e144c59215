import { builder, type TypeRef } from '../../../platform/graphql/builder.ts';
import { lookup } from '../../../platform/graphql/lookup.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { PageNodeType } from '../../content/pages/graphql.ts';
import { getContentByUrl } from './get-content-by-url.ts';
import { getPublishedContent, type PublishedContent, type PublishedRedirect } from './get-published-content.ts';
import { contentAtUrl, publishedContent, publishedRedirect } from './resources.ts';

const PublishedContentLookup = builder.unionType('PublishedContentLookup', {
  description: 'Target of a URL of a published site, or the redirect that the visitor must follow first.',
  types: [typeOf(publishedContent), typeOf(publishedRedirect)],
  resolveType: (result) => ('redirect' in result ? publishedRedirect.name : publishedContent.name),
});

lookup(
  'publishedContent',
  getPublishedContent,
  PublishedContentLookup as unknown as TypeRef<PublishedContent | PublishedRedirect>, // a union of objects
);

const ContentAtUrlType = typeOf(contentAtUrl);

builder.objectFields(ContentAtUrlType, (t) => ({
  page: t.field({
    type: PageNodeType,
    nullable: true,
    description: 'The page. Null if the URL does not name one.',
    resolve: ({ page }) => page,
  }),
}));

lookup('contentByUrl', getContentByUrl, ContentAtUrlType);
