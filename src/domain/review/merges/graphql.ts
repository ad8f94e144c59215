import type { Context } from '../../../platform/context/context.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { mutation, type PayloadField } from '../../../platform/graphql/mutation.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { ChangeRequestType } from '../../content/change-requests/graphql.ts';
import { loadChangeRequest } from '../../content/change-requests/index.ts';
import { contentPreview } from '../../content/dry-runs/index.ts';
import { FileType } from '../../content/files/graphql.ts';
import { PageNodeType, pagesPayload } from '../../content/pages/graphql.ts';
import type { ContentStep } from '../../content/pages/index.ts';
import { RevisionType } from '../../content/revisions/graphql.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { fileIn } from '../../store/manifests/index.ts';
import { conflictPage } from './conflict-page.ts';
import { MAX_SHOWN } from './conflicts-of.ts';
import { mergeResult, pullResult } from './enums.ts';
import { conflictList, listConflicts } from './list-conflicts.ts';
import { mergeChangeRequest } from './merge-change-request.ts';
import { mergeabilityOf } from './mergeability.ts';
import type { MergeResult } from './outcome.ts';
import { pullChangeRequest } from './pull-change-request.ts';
import { resolveChangeRequestConflicts } from './resolve-change-request-conflicts.ts';
import { firstConflicts, MERGE_PREVIEW_DESCRIPTION, mergeability, mergeConflict } from './resources.ts';

const ConflictType = typeOf(mergeConflict);

builder.objectFields(ConflictType, (t) => ({
  page: t.field({
    type: PageNodeType,
    nullable: true,
    description:
      'The page in conflict, in the version of the primary content if it exists there. Null for conflicts about other objects.',
    resolve: (conflict, _args, ctx) => conflictPage(ctx, conflict),
  }),
  file: t.field({
    type: FileType,
    nullable: true,
    description:
      'The file in conflict, in the version of the primary content if it exists there. Null for conflicts about other objects.',
    resolve: async ({ target, versions: { theirs, ours } }, _args, ctx) => {
      if (target.type !== 'file' || target.id === null) return null;
      return (await fileIn(ctx, theirs, target.id)) ?? (await fileIn(ctx, ours, target.id));
    },
  }),
}));

builder.objectFields(ChangeRequestType, (t) => ({
  mergeability: t.field({
    type: typeOf(mergeability),
    description:
      'Whether you can merge the change request now, and what prevents it. Computes the merge, so select it only where needed.',
    resolve: (changeRequest, _args, ctx) => mergeabilityOf(ctx, changeRequest),
  }),
  conflicts: connection(t, {
    type: ConflictType,
    operation: listConflicts,
    without: ['changeRequestId', 'spaceId'],
    from: ({ id }) => ({ changeRequestId: id }),
    list: (changeRequest, _input, ctx) => conflictList(ctx, changeRequest),
  }),
}));

type AnyOutcome = MergeResult<'merge' | 'update'>;

/** The fields of all payloads, read after the command. */
const changed = {
  changeRequest: {
    type: ChangeRequestType,
    nullable: true,
    description: 'The change request. Null if you can no longer see it.',
    resolve: ({ changeRequestId }, ctx) => loadChangeRequest(ctx, changeRequestId),
  },
  conflicts: {
    type: [ConflictType],
    description: `The first ${MAX_SHOWN} conflicts if the result is \`CONFLICTS\`, otherwise empty.`,
    resolve: ({ conflicts }) => firstConflicts(conflicts),
  },
  preview: {
    type: typeOf(contentPreview),
    nullable: true,
    description: MERGE_PREVIEW_DESCRIPTION,
    resolve: ({ preview }) => preview,
  },
} satisfies Record<string, PayloadField<AnyOutcome>>;

const revisionField = (description: string): PayloadField<AnyOutcome> => ({
  type: RevisionType,
  nullable: true,
  description,
  resolve: ({ revisionId }, ctx) => loadRevision(ctx, revisionId),
});

/**
 * What a merge did to the content of the space, or an update to that of the change request. The first parent of a merge
 * is the revision of the space before.
 */
async function stepOf(
  { result, changeRequestId, revisionId, previousRevisionId }: AnyOutcome,
  ctx: Context,
): Promise<ContentStep | undefined> {
  const after = result === 'conflicts' ? null : await loadRevision(ctx, revisionId);
  const beforeId = previousRevisionId ?? after?.parents[0];
  if (!after || beforeId === undefined || beforeId === revisionId) return undefined;
  const before = await loadRevision(ctx, beforeId);
  return before && { ownerId: result === 'merge' ? after.spaceId : changeRequestId, before, after };
}

mutation(mergeChangeRequest, {
  result: {
    type: enumType(mergeResult),
    description: 'Whether the change request was merged, or has conflicts.',
    resolve: ({ result }) => result,
  },
  ...changed,
  revision: revisionField(
    'Revision of the space that the merge created. If there are conflicts, the current revision of the change request.',
  ),
  space: {
    type: SpaceType,
    nullable: true,
    description: 'The space, with its current revision. Null if you can no longer see it.',
    resolve: async ({ changeRequestId }, ctx) => {
      const changeRequest = await loadChangeRequest(ctx, changeRequestId);
      return changeRequest && loadSpace(ctx, changeRequest.spaceId);
    },
  },
  ...pagesPayload<AnyOutcome>({ stepOf }),
});

for (const operation of [pullChangeRequest, resolveChangeRequestConflicts]) {
  mutation(operation, {
    result: {
      type: enumType(pullResult),
      description: 'Whether the change request was updated, or has conflicts.',
      resolve: ({ result }) => result,
    },
    ...changed,
    revision: revisionField('The current revision of the change request.'),
    ...pagesPayload<AnyOutcome>({ stepOf }),
  });
}
