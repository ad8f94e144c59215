import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { ChangeRequestType } from '../../content/change-requests/graphql.ts';
import { loadChangeRequest } from '../../content/change-requests/index.ts';
import { RevisionType } from '../../content/revisions/graphql.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { loadGitRun } from './access.ts';
import { cancelGitRun } from './cancel-git-run.ts';
import { exportSpaceToGit } from './export-space-to-git.ts';
import { getGitRun } from './get-git-run.ts';
import { getSpaceGitInfo } from './get-space-git-info.ts';
import { importSpaceFromGit } from './import-space-from-git.ts';
import { gitRunsOfSpace, listGitRuns } from './list-git-runs.ts';
import { removeLegacyGitInstallation } from './remove-legacy-git-installation.ts';
import { gitRun } from './resources.ts';

export const GitRunType = typeOf(gitRun);

builder.objectFields(GitRunType, (t) => ({
  space: t.field({
    type: SpaceType,
    nullable: true,
    description: 'Space that is synchronized. Null if you can no longer read it.',
    resolve: ({ spaceId }, _args, ctx) => loadSpace(ctx, spaceId),
  }),
  revision: t.field({
    type: RevisionType,
    nullable: true,
    description: 'The revision that was imported or exported. Null until the run is completed.',
    resolve: ({ revisionId: id }, _args, ctx) => (id === null ? null : loadRevision(ctx, id)),
  }),
  changeRequest: t.field({
    type: ChangeRequestType,
    nullable: true,
    description: 'Change request with the conflicts between branch and space. Null if there are none.',
    resolve: ({ changeRequestId: id }, _args, ctx) => (id === null ? null : loadChangeRequest(ctx, id)),
  }),
}));

registerNode(GitRunType, 'gitrun', loadGitRun);
readInGraph(getGitRun);
readInGraph(getSpaceGitInfo);

builder.objectFields(SpaceType, (t) => ({
  gitRuns: connection(t, {
    type: GitRunType,
    operation: listGitRuns,
    parent: 'spaceId',
    list: ({ id }, _input, ctx) => gitRunsOfSpace(ctx, id, {}),
  }),
}));

mutation(importSpaceFromGit, {
  gitRun: { type: GitRunType, description: 'The new run.', resolve: (run) => run },
});

mutation(exportSpaceToGit, {
  gitRun: { type: GitRunType, description: 'The new run.', resolve: (run) => run },
});

mutation(cancelGitRun, {
  gitRun: { type: GitRunType, description: 'The cancelled run.', resolve: (run) => run },
});

mutation(removeLegacyGitInstallation, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the space whose synchronization was removed. Null if it had none.',
    resolve: ({ deletedId }) => deletedId,
  },
  space: {
    type: SpaceType,
    nullable: true,
    description: 'The space. Null if you can no longer read it.',
    resolve: ({ spaceId }, ctx) => (spaceId === null ? null : loadSpace(ctx, spaceId)),
  },
});
