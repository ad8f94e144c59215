import type { Context } from '../../platform/context.ts';
import { downloadUrl } from './download-url.ts';
import type { FileEntry } from './file-entry.ts';

/** REST's File (specification 2.13). */
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
