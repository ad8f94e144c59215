import { textOf } from '../../../platform/text.ts';

/** What is searched for. */
export const searchText = textOf(0, 512).describe(
  'What to search for, up to 512 characters. Only letters and digits count, and of words the first ten.',
);
