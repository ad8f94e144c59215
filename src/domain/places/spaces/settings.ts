import { idOf } from '../../../platform/operation.ts';
import { emoji, nameOf } from '../../../platform/text.ts';

/** The emoji of a space that was given none. */
export const DEFAULT_EMOJI = '1f4d4';

/** A space can be restored for so long after it was deleted. */
export const RESTORABLE_MS = 7 * 24 * 60 * 60 * 1000;

export const spaceTitle = nameOf(50).describe('Its name, 1 to 50 characters, not only white space.');

export const spaceEmoji = emoji().describe('An emoji, or its code point in hex, up to 50 characters.');

export const spaceId = idOf('space');
