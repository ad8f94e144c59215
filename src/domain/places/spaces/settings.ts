import { DAY_MS } from '../../../lib/durations.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { emoji, nameText } from '../../../platform/shapes/text.ts';

/** The default emoji of spaces, a notebook. */
export const DEFAULT_EMOJI = '1f4d4';

/** Time after deletion during which a space can be restored. */
export const RESTORABLE_MS = 7 * DAY_MS;

/** Characters of the title of a space. */
export const MAX_TITLE = 50;

export const spaceTitle = nameText(MAX_TITLE).describe(
  `Title of the space, 1 to ${MAX_TITLE} characters, not only whitespace.`,
);

export const spaceEmoji = emoji().describe(
  'Emoji of the space, as a character or as a hexadecimal code point, up to 50 characters.',
);

export const spaceId = idOf('space');
