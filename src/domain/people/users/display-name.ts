import { nameOf } from '../../../platform/text.ts';

export const displayName = nameOf(64).describe('Display name, 1 to 64 characters, not only whitespace.');
