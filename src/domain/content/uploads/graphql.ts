import { builder } from '../../../platform/graphql/builder.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { createUpload, type UploadRow } from './create-upload.ts';
import { loadUpload } from './upload-for.ts';
import { signedUploadUrl, uploadLocation } from './upload-url.ts';

export const UploadType = builder.objectRef<UploadRow>('Upload').implement({
  description: 'Bytes sent ahead, for a later operation of the same user.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: 'Name of the file.' }),
    url: t.field({
      type: 'URL',
      description: 'Names the upload in an import. Not an address that the bytes can be read from.',
      resolve: ({ id }, _args, ctx) => uploadLocation(ctx, id),
    }),
    isReceived: t.boolean({
      description: 'Whether the bytes have come.',
      resolve: ({ blobHash }) => blobHash !== null,
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it can be filled and used.' }),
  }),
});

registerNode(UploadType, 'upload', loadUpload);

mutation(createUpload, {
  upload: { type: UploadType, description: 'The new upload, still empty.', resolve: (upload) => upload },
  uploadUrl: {
    type: 'URL',
    description: 'Send the bytes here: one PUT, with no token and any content type, up to 200 MB.',
    resolve: (upload, ctx) => signedUploadUrl(ctx, upload),
  },
});
