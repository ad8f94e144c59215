import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const pageWidth = namedEnum('PageWidth', 'Width of the text of a page.', {
  default: 'The width that is configured for the site.',
  wide: 'The full available width.',
});

export const pageCoverSize = namedEnum('PageCoverSize', 'Size of the cover image of a page.', {
  hero: 'As wide as the text.',
  full: 'As wide as the page.',
  background: 'Behind the title.',
});
