import { builder } from '../../../platform/graphql/builder.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { loadRevision } from '../revisions/index.ts';
import type { ChangeRequestRow } from './access.ts';
import { ChangeRequestType } from './graphql.ts';
import { loadChangeRequest } from './load.ts';

builder.objectFields(RevisionType, (t) => ({
  mergedFrom: t.field({
    type: ChangeRequestType,
    nullable: true,
    description:
      'Change request whose merge created the revision. Null for other revisions, and if you cannot see the change request.',
    resolve: async ({ mergedFromId }, _args, ctx) =>
      mergedFromId === null ? null : ((await loadChangeRequest(ctx, mergedFromId)) ?? null),
  }),
}));

builder.objectFields(ChangeRequestType, (t) => {
  const revisionField = (description: string, idOf: (row: ChangeRequestRow) => string | null) =>
    t.field({
      type: RevisionType,
      nullable: true,
      description,
      resolve: async (row, _args, ctx) => {
        const id = idOf(row);
        return id === null ? null : ((await loadRevision(ctx, id)) ?? null);
      },
    });
  return {
    revision: revisionField('Current revision of the change request.', ({ revisionId }) => revisionId),
    initialRevision: revisionField(
      'Revision of the space that the change request was created from.',
      ({ revisionInitialId }) => revisionInitialId,
    ),
    mergedAncestorRevision: revisionField(
      'Latest revision of the space that was pulled into the change request. Null if nothing was pulled yet.',
      ({ revisionMergedAncestorId }) => revisionMergedAncestorId,
    ),
    mergedRevision: revisionField(
      'Revision of the space that merging the change request created. Null until it is merged.',
      ({ revisionMergedId }) => revisionMergedId,
    ),
  };
});
