import type { Context } from '../../platform/context.ts';
import type { UploadRow } from './create-upload.ts';
import { uploadLocation } from './upload-url.ts';

/** REST's Upload (decisions 4.2). */
export const presentUpload = ({ id, expires_at }: UploadRow, ctx: Context) => ({
  object: 'upload',
  id,
  url: uploadLocation(ctx, id),
  expiresAt: expires_at,
});
