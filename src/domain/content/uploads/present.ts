import type { Context } from '../../../platform/context.ts';
import { addressIn, idIn, namedShape, objectIs, timeIn } from '../../../platform/shapes.ts';
import type { UploadRow } from './create-upload.ts';
import { uploadLocation } from './upload-url.ts';

/** REST's Upload (docs/decisions.md, Content). */
export const presentUpload = ({ id, expires_at }: UploadRow, ctx: Context) => ({
  object: 'upload',
  id,
  url: uploadLocation(ctx, id),
  expiresAt: expires_at,
});

export const uploadShape = namedShape('Upload', 'The bytes of a file, for use in a later operation.', {
  object: objectIs('upload'),
  id: idIn('upload'),
  url: addressIn('Give it to the operation that uses the upload.'),
  expiresAt: timeIn('When it is removed.'),
});
