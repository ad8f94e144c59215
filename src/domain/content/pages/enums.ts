import { namedEnum } from '../../../platform/named-enum.ts';

export const pageWidth = namedEnum('PageWidth', 'How wide the text of a page is set.', {
  default: 'As the site sets it.',
  wide: 'Over the whole width that there is.',
});

export const pageCoverSize = namedEnum('PageCoverSize', 'How large the cover image of a page is shown.', {
  hero: 'Within the width of the text.',
  full: 'Over the whole width of the page.',
  background: 'Behind the title.',
});
