import { resource } from '../../../platform/resource/resource.ts';
import type { FileRow } from '../../store/manifests/index.ts';
import { downloadUrl } from './download-url.ts';
import type { Dimensions } from './image-dimensions.ts';

const dimensions = resource<Dimensions>({ name: 'Dimensions', description: 'Width and height of an image.' }, (f) => ({
  width: f.count('Displayed width in pixels.', ({ width }) => width),
  height: f.count('Displayed height in pixels.', ({ height }) => height),
}));

export const file = resource<FileRow>(
  {
    name: 'File',
    description:
      'A file in a revision of a space, such as an image or an attachment. Its ID within the space (`fileId`, in REST `id`) is the same in all revisions.',
  },
  (f) => ({
    fileId: f.id('file')('ID of the file within its space, the same in all revisions.', ({ id }) => id, { rest: 'id' }),
    name: f.string('Name of the file.', ({ name }) => name),
    contentType: f.string(
      'Media type of the file (RFC 6838), detected from its content and name.',
      (row) => row.contentType,
    ),
    size: f.count('Size of the file in bytes.', ({ size }) => size),
    downloadUrl: f.url(
      'URL to download the file. It needs no token, cannot be guessed, and works for anyone who has it.',
      ({ organizationId, blob, name }, ctx) => downloadUrl(ctx, organizationId, blob, name),
      { rest: 'downloadURL' },
    ),
    dimensions: f
      .object(() => dimensions)
      .optional('Width and height of an image. Null for other files.', ({ width, height }) =>
        width == null || height == null ? null : { width, height },
      ),
  }),
);
