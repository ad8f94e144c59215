import { lineOf } from '../../platform/text.ts';

export const displayName = lineOf(1, 64).describe('The name to show, 1 to 64 characters.');
