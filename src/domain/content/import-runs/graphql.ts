import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { ChangeRequestType } from '../change-requests/graphql.ts';
import { loadChangeRequest } from '../change-requests/index.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { loadRevision } from '../revisions/index.ts';
import { loadImportRun } from './access.ts';
import { cancelImportRun } from './cancel-import-run.ts';
import { getImportRun } from './get-import-run.ts';
import { importRunsOfOrganization, listImportRuns, toImportRunFilters } from './list-import-runs.ts';
import { importRun } from './resources.ts';
import { startImportRun } from './start-import-run.ts';

const ImportRunType = typeOf(importRun);

builder.objectFields(ImportRunType, (t) => ({
  space: t.field({
    type: SpaceType,
    nullable: true,
    description: 'Space that content is imported into. Null if you can no longer read it.',
    resolve: ({ spaceId }, _args, ctx) => loadSpace(ctx, spaceId),
  }),
  changeRequest: t.field({
    type: ChangeRequestType,
    nullable: true,
    description:
      'Change request that content is imported into. Null if it is imported into the primary content of the space.',
    resolve: ({ changeRequestId: id }, _args, ctx) => (id === null ? null : loadChangeRequest(ctx, id)),
  }),
  revision: t.field({
    type: RevisionType,
    nullable: true,
    description: 'The new revision. Null until the import run is completed.',
    resolve: ({ revisionId: id }, _args, ctx) => (id === null ? null : loadRevision(ctx, id)),
  }),
}));

registerNode(ImportRunType, 'import', loadImportRun);
readInGraph(getImportRun);

builder.objectFields(OrganizationType, (t) => ({
  importRuns: connection(t, {
    type: ImportRunType,
    operation: listImportRuns,
    without: ['organizationId'],
    from: ({ id }) => ({ organizationId: id }),
    list: async ({ id }, filters, ctx) => importRunsOfOrganization(ctx, id, await toImportRunFilters(ctx, filters)),
  }),
}));

mutation(startImportRun, {
  importRun: { type: ImportRunType, description: 'The new import run.', resolve: (run) => run },
});

mutation(cancelImportRun, {
  importRun: { type: ImportRunType, description: 'The cancelled import run.', resolve: (run) => run },
});
