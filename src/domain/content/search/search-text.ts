import { multilineText } from '../../../platform/shapes/text.ts';

export const searchText = multilineText(0, 512).describe(
  'Search query, up to 512 characters. Only letters and digits are significant. Words after the tenth are ignored.',
);
