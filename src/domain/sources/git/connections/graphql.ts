import { builder } from '../../../../platform/graphql/builder.ts';
import { mutation } from '../../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../../platform/graphql/node.ts';
import { readInGraph } from '../../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../../platform/graphql/resource-type.ts';
import { RevisionType } from '../../../content/revisions/graphql.ts';
import { loadRevision } from '../../../content/revisions/index.ts';
import { SpaceType } from '../../../places/spaces/graphql.ts';
import { loadSpace } from '../../../places/spaces/index.ts';
import { GitRunType } from '../graphql.ts';
import { loadConnectionOfSpace, loadGitConnection } from './access.ts';
import { checkGitConnection } from './check-git-connection.ts';
import { createGitConnection } from './create-git-connection.ts';
import { deleteGitConnection } from './delete-git-connection.ts';
import { getGitConnection } from './get-git-connection.ts';
import { loadLatestRuns } from './load-latest-runs.ts';
import { previewGitConnection } from './preview-git-connection.ts';
import { gitCheck, gitConnection } from './resources.ts';
import { rotateGitHookSecret } from './rotate-git-hook-secret.ts';
import { rotateGitSshKey } from './rotate-git-ssh-key.ts';
import { startGitConnection } from './start-git-connection.ts';
import { syncGitConnection } from './sync-git-connection.ts';
import { updateGitConnection } from './update-git-connection.ts';

const GitConnectionType = typeOf(gitConnection);
const GitCheckType = typeOf(gitCheck);

builder.objectFields(GitConnectionType, (t) => ({
  space: t.field({
    type: SpaceType,
    nullable: true,
    description: 'The connected space. Null if you can no longer read it.',
    resolve: ({ spaceId }, _args, ctx) => loadSpace(ctx, spaceId),
  }),
  keptRevision: t.field({
    type: RevisionType,
    nullable: true,
    description: 'Latest revision of the space when the branch won. Null if the branch did not win.',
    resolve: ({ keptRevisionId: id }, _args, ctx) => (id === null ? null : loadRevision(ctx, id)),
  }),
  latestRuns: t.field({
    type: [GitRunType],
    description: 'The latest runs of the connection, newest first, up to 10. `gitRuns` of the space lists all.',
    resolve: async ({ id }, _args, ctx) => (await loadLatestRuns(ctx, id)) ?? [],
  }),
}));

builder.objectFields(GitRunType, (t) => ({
  connection: t.field({
    type: GitConnectionType,
    nullable: true,
    description: 'Connection that started the run. Null if a user did, or if the connection was deleted.',
    resolve: ({ connectionId: id }, _args, ctx) => (id === null ? null : loadGitConnection(ctx, id)),
  }),
}));

registerNode(GitConnectionType, 'gitconnection', loadGitConnection);
readInGraph(getGitConnection);

builder.objectFields(SpaceType, (t) => ({
  gitConnection: t.field({
    type: GitConnectionType,
    nullable: true,
    description: `${getGitConnection.description} Null if it has none, or if you may not see it.`,
    resolve: ({ id }, _args, ctx) => loadConnectionOfSpace(ctx, id),
  }),
}));

mutation(createGitConnection, {
  connection: { type: GitConnectionType, description: 'The new connection.', resolve: (created) => created.connection },
  hookSecret: {
    type: 'String',
    nullable: true,
    description:
      'Secret of the hook. Returned only once: null if the mutation is repeated with the same idempotency key.',
    resolve: (created) => created.hookSecret,
  },
});

mutation(updateGitConnection, {
  connection: {
    type: GitConnectionType,
    description: 'The updated connection.',
    resolve: (updated) => updated.connection,
  },
});

mutation(rotateGitHookSecret, {
  connection: {
    type: GitConnectionType,
    description: 'The connection, with the new secret in its hook.',
    resolve: (rotated) => rotated.connection,
  },
  hookSecret: {
    type: 'String',
    nullable: true,
    description:
      'New secret of the hook. Returned only once: null if the mutation is repeated with the same idempotency key.',
    resolve: (rotated) => rotated.hookSecret,
  },
});

mutation(rotateGitSshKey, {
  connection: {
    type: GitConnectionType,
    description: 'The connection with its new `sshPublicKey`.',
    resolve: (rotated) => rotated.connection,
  },
});

mutation(deleteGitConnection, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the deleted connection. Null if the space had none or you cannot see it.',
    resolve: ({ deletedId }) => deletedId,
  },
  space: {
    type: SpaceType,
    nullable: true,
    description: 'The space. Null if nothing was deleted.',
    resolve: ({ spaceId }, ctx) => (spaceId === null ? null : loadSpace(ctx, spaceId)),
  },
});

mutation(previewGitConnection, {
  gitRun: {
    type: GitRunType,
    description: 'The dry run, with its `preview` once it is completed.',
    resolve: (started) => started.gitRun,
  },
});

mutation(startGitConnection, {
  connection: {
    type: GitConnectionType,
    description: 'The started connection.',
    resolve: (started) => started.connection,
  },
  gitRun: { type: GitRunType, description: 'The first run.', resolve: (started) => started.gitRun },
});

mutation(syncGitConnection, {
  connection: {
    type: GitConnectionType,
    description: 'The connection that is synchronized.',
    resolve: (requested) => requested.connection,
  },
});

mutation(checkGitConnection, {
  connection: {
    type: GitConnectionType,
    description: 'The connection that was checked.',
    resolve: (checked) => checked.connection,
  },
  checks: { type: [GitCheckType], description: 'The checks, in their order.', resolve: ({ checks }) => checks },
});
