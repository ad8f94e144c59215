import { nameOf } from '../../../platform/text.ts';

/** The name of a file: 1 to 256 characters that can be the last part of an address and of a path on disk. */
export const fileName = nameOf(256).refine((name) => !name.includes('/') && name !== '.' && name !== '..', {
  error: 'must be a name without "/", and neither "." nor ".."',
});
