import { mutation, type PayloadField } from '../../../platform/graphql/mutation.ts';
import { payloadOf } from '../../../platform/graphql/resource-type.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { getSpace } from '../../places/spaces/index.ts';
import { ChangeRequestType } from '../change-requests/graphql.ts';
import { getChangeRequest } from '../change-requests/index.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { loadRevision } from '../revisions/index.ts';
import { importChangeRequestContent } from './import-change-request-content.ts';
import { importSpaceContent } from './import-space-content.ts';
import { type Imported, importResult } from './resources.ts';

const importPayload: Record<string, PayloadField<Imported>> = {
  revision: {
    type: RevisionType,
    nullable: true,
    description: 'The new revision. Null if the import continues in the background.',
    resolve: ({ revisionId }, ctx) => (revisionId === null ? null : loadRevision(ctx, revisionId)),
  },
  ...payloadOf(importResult),
};

mutation(importSpaceContent, {
  space: {
    type: SpaceType,
    description: 'The space, at its current revision.',
    resolve: ({ spaceId }, ctx) => getSpace(ctx, { spaceId }),
  },
  ...importPayload,
});

mutation(importChangeRequestContent, {
  changeRequest: {
    type: ChangeRequestType,
    description: 'The change request, at its current revision.',
    resolve: ({ changeRequestId }, ctx) => getChangeRequest(ctx, { changeRequestId }),
  },
  ...importPayload,
});
