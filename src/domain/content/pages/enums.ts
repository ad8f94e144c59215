import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const pageKind = namedEnum('PageKind', 'Kinds of pages in a page tree.', {
  document: 'A page with a body: `DocumentPage`.',
  group: 'A heading at the top level that groups pages: `GroupPage`.',
  link: 'A link: `LinkPage`.',
  computed: 'A placeholder for computed pages whose source is missing, or that are not computed: `ComputedPage`.',
});

export const pageWidth = namedEnum('PageWidth', 'Width of the text of a page.', {
  default: 'The width that is configured for the site.',
  wide: 'The full available width.',
});

export const pageCoverSize = namedEnum('PageCoverSize', 'Size of the cover image of a page.', {
  hero: 'As wide as the text.',
  full: 'As wide as the page.',
  background: 'Behind the title.',
});
