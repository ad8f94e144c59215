import { mutation, type PayloadField } from '../../platform/graphql/mutation.ts';
import { ChangeRequestType } from '../change-requests/graphql.ts';
import { getChangeRequest } from '../change-requests/index.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { loadRevision } from '../revisions/index.ts';
import { SpaceType } from '../spaces/graphql.ts';
import { getSpace } from '../spaces/index.ts';
import type { AppliedChange } from './applied-change.ts';
import { updateChangeRequestContent } from './update-change-request-content.ts';
import { updateSpaceContent } from './update-space-content.ts';

/** What both edits of content answer, beside the thing they edited. */
const contentPayload: Record<string, PayloadField<{ revisionId: string; applied: AppliedChange[] }>> = {
  revision: {
    type: RevisionType,
    description: 'The new revision; the one before when nothing changed.',
    resolve: ({ revisionId }, ctx) => loadRevision(ctx, revisionId),
  },
  pageIds: {
    type: ['ID'],
    description: 'The pages that changes concerned, in the order of the changes.',
    resolve: ({ applied }) => applied.filter(({ what }) => what === 'page').map(({ target }) => target),
  },
};

mutation(updateSpaceContent, {
  space: {
    type: SpaceType,
    description: 'The space, at its new revision.',
    resolve: ({ spaceId }, ctx) => getSpace(ctx, { spaceId }),
  },
  ...contentPayload,
});

mutation(updateChangeRequestContent, {
  changeRequest: {
    type: ChangeRequestType,
    description: 'The change request, at its new revision.',
    resolve: ({ changeRequestId }, ctx) => getChangeRequest(ctx, { changeRequestId }),
  },
  ...contentPayload,
});
