import { multilineText, nameText } from '../../../platform/shapes/text.ts';

export const collectionTitle = nameText(50).describe(
  'Name of the collection, 1 to 50 characters, not only whitespace.',
);

export const collectionDescription = multilineText(0, 100).describe(
  'Description of the collection, up to 100 characters. Empty by default.',
);
