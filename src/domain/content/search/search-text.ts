import { textOf } from '../../../platform/shapes/text.ts';

export const searchText = textOf(0, 512).describe(
  'Search query, up to 512 characters. Only letters and digits are significant. Words after the tenth are ignored.',
);
