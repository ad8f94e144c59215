import { resource } from '../../../platform/resource/resource.ts';
import type { UploadRow } from './create-upload.ts';
import { uploadLocation } from './upload-url.ts';

export const upload = resource<UploadRow>(
  {
    name: 'Upload',
    object: 'upload',
    node: 'upload',
    description: 'An upload of a file, for use in a later operation of the same user.',
  },
  (f) => ({
    name: f.string.optional('Name of the file. Null if none was given.', ({ name }) => name, { rest: false }),
    url: f.url(
      'URL that identifies the upload in operations that take a file, such as imports. The file cannot be downloaded from it.',
      ({ id }, ctx) => uploadLocation(ctx, id),
    ),
    isReceived: f.boolean('Whether the file has been received.', ({ blobHash }) => blobHash !== null, { rest: false }),
    expiresAt: f.time('Time when the upload expires.', ({ expiresAt }) => expiresAt),
  }),
);
