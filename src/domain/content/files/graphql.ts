import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { readInGraph } from '../../../platform/graphql/coverage.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { type FileRow, fileIn, filesOf } from '../../store/manifests/index.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { loadRevision } from '../revisions/index.ts';
import { downloadUrl } from './download-url.ts';
import { getFile } from './get-file.ts';
import type { Dimensions } from './image-dimensions.ts';
import { listFiles } from './list-files.ts';

const DimensionsType = builder.objectRef<Dimensions>('Dimensions').implement({
  description: 'The size of an image.',
  fields: (t) => ({
    width: t.exposeInt('width', { description: 'In pixels, as it is shown.' }),
    height: t.exposeInt('height', { description: 'In pixels, as it is shown.' }),
  }),
});

const AT = '-at-';

export const FileType = builder.objectRef<FileRow>('File').implement({
  description:
    'A file in a revision: an image or an attachment. Its `fileId` is stable over revisions, its `id` names it in this one.',
  fields: (t) => ({
    fileId: t.exposeID('id', { description: 'Names the file in its space, in every revision.' }),
    name: t.exposeString('name', { description: 'Its name, with an extension when it has one.' }),
    contentType: t.exposeString('contentType', { description: 'The media type that its bytes are of (RFC 6838).' }),
    size: t.exposeInt('size', { description: 'In bytes.' }),
    downloadUrl: t.field({
      type: 'URL',
      description: 'Where its bytes are. Needs no token and cannot be guessed; works for whoever has it.',
      resolve: ({ organizationId, blob, name }, _args, ctx) => downloadUrl(ctx, organizationId, blob, name),
    }),
    dimensions: t.field({
      type: DimensionsType,
      nullable: true,
      description: 'Width and height of an image; null for everything else.',
      resolve: ({ width, height }) => (width == null || height == null ? null : { width, height }),
    }),
  }),
});

registerNode(
  FileType,
  'file',
  async (ctx, id) => {
    const [fileId = '', revisionId = ''] = id.split(AT);
    const revision = await loadRevision(ctx, revisionId);
    return revision && fileIn(ctx, revision, fileId);
  },
  {
    description: 'Names the file in this revision: `file_…-at-rev_…`.',
    resolve: ({ id, revisionId }) => `${id}${AT}${revisionId}`,
  },
);

readInGraph(getFile);
builder.objectFields(RevisionType, (t) => ({
  files: connection(t, {
    type: FileType,
    operation: listFiles,
    without: ['spaceId', 'revisionId', 'changeRequestId', 'metadata', 'computed'],
    from: ({ spaceId, id }) => ({ spaceId, revisionId: id }),
    list: (revision, _input, ctx) => filesOf(ctx, revision),
  }),
  file: t.field({
    type: FileType,
    nullable: true,
    description: 'A file by its `fileId`. Null when the revision has none with it.',
    args: { id: t.arg.id({ required: true, description: 'The `fileId`: `file_…`.' }) },
    resolve: async (revision, { id }, ctx) => (await fileIn(ctx, revision, id)) ?? null,
  }),
}));
