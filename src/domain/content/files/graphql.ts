import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { findInRevision, idInRevision } from '../revisions/index.ts';
import { visibleFilesIn, visibleFilesOf } from '../visibility/index.ts';
import { getFile } from './get-file.ts';
import { listFiles } from './list-files.ts';
import { file } from './resources.ts';

export const FileType = typeOf(file);

registerNode(
  FileType,
  'file',
  (ctx, id) =>
    findInRevision(ctx, id, async (revision, fileId) => (await visibleFilesIn(ctx, revision, [fileId])).get(fileId)),
  {
    description: 'ID of the file in this revision: `file_…-at-rev_…`.',
    resolve: ({ id, revisionId }) => idInRevision(id, revisionId),
  },
);

readInGraph(getFile);
builder.objectFields(RevisionType, (t) => ({
  files: connection(t, {
    type: FileType,
    operation: listFiles,
    without: ['spaceId', 'revisionId', 'changeRequestId', 'metadata', 'computed'],
    from: ({ spaceId, id }) => ({ spaceId, revisionId: id }),
    list: (revision, _input, ctx) => visibleFilesOf(ctx, revision),
  }),
  file: t.field({
    type: FileType,
    nullable: true,
    description: 'Gets a file of the revision by its `fileId`. Null if the revision has no such file.',
    args: { id: t.arg.id({ required: true, description: 'The `fileId` of the file: `file_…`.' }) },
    resolve: async (revision, { id }, ctx) => (await visibleFilesIn(ctx, revision, [id])).get(id) ?? null,
  }),
}));
