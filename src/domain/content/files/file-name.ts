import { nameText } from '../../../platform/shapes/text.ts';

/** A file name of 1 to 256 characters that is safe as a segment of a URL and of a file system path. */
export const fileName = nameText(256).refine((name) => !name.includes('/') && name !== '.' && name !== '..', {
  error: 'must not contain "/" and must not be "." or ".."',
});
