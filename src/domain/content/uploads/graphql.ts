import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { createUpload } from './create-upload.ts';
import { upload } from './resources.ts';
import { loadUpload } from './upload-for.ts';
import { signedUploadUrl } from './upload-url.ts';

const UploadType = typeOf(upload);

registerNode(UploadType, 'upload', loadUpload);

mutation(createUpload, {
  upload: { type: UploadType, description: 'The new upload, still without content.', resolve: (row) => row },
  uploadUrl: {
    type: 'URL',
    description:
      'URL to send the file to with a single `PUT` request, up to 200 MB, without a token and with any content type.',
    resolve: (row, ctx) => signedUploadUrl(ctx, row),
  },
});
