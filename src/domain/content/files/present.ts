import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { addressIn, countIn, idIn, namedShape } from '../../../platform/shapes.ts';
import type { FileEntry } from '../../store/manifests/index.ts';
import { downloadUrl } from './download-url.ts';

/** REST's File. */
export function presentFile(
  { id, name, contentType, size, width, height, blob }: FileEntry,
  ctx: Context,
  organizationId: string,
) {
  return {
    id,
    name,
    contentType,
    downloadURL: downloadUrl(ctx, organizationId, blob, name),
    size,
    ...(width == null || height == null ? {} : { dimensions: { width, height } }),
  };
}

export const fileShape = namedShape('File', 'A file of a space, as one of its revisions has it.', {
  id: idIn('file', 'Its id, the same in all revisions.'),
  name: z.string().describe('Its name.'),
  contentType: z.string().describe('Its media type.'),
  downloadURL: addressIn('Where its bytes are. The address needs no token and cannot be guessed.'),
  size: countIn('How many bytes it has.'),
  dimensions: z
    .object({ width: countIn('In pixels.'), height: countIn('In pixels.') })
    .optional()
    .describe('How large an image is shown; on images only.'),
});
