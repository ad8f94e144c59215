import { nameText } from '../../../platform/shapes/text.ts';

export const passkeyLabel = nameText(50).describe('Label of the passkey, 1 to 50 characters, not only whitespace.');
