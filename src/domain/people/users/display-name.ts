import { nameText } from '../../../platform/shapes/text.ts';

export const displayName = nameText(64).describe('Display name, 1 to 64 characters, not only whitespace.');
