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
    description: 'The change request that it brought in; null when it is no merge, and when you may not see that.',
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
    revision: revisionField('The state that its content is at.', ({ revisionId }) => revisionId),
    initialRevision: revisionField(
      "The space's revision that it was created from.",
      ({ revisionInitialId }) => revisionInitialId,
    ),
    mergedAncestorRevision: revisionField(
      'The newest revision of the primary content that was pulled in; null when none was.',
      ({ revisionMergedAncestorId }) => revisionMergedAncestorId,
    ),
    mergedRevision: revisionField(
      'The revision that its merge made; null until it is merged.',
      ({ revisionMergedId }) => revisionMergedId,
    ),
  };
});
