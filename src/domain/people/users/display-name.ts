import { nameOf } from '../../../platform/text.ts';

export const displayName = nameOf(64).describe('The name to show, 1 to 64 characters, not only white space.');
