import { mutation, type PayloadField } from '../../../platform/graphql/mutation.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { getSpace } from '../../places/spaces/index.ts';
import { filesIn, reusableContentsIn } from '../../store/manifests/index.ts';
import { ChangeRequestType } from '../change-requests/graphql.ts';
import { getChangeRequest } from '../change-requests/index.ts';
import { FileType } from '../files/graphql.ts';
import { ReusableContentType } from '../reusable-contents/graphql.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { loadRevision } from '../revisions/index.ts';
import { targetsOf } from './applied-change.ts';
import type { ContentUpdate } from './present.ts';
import { updateChangeRequestContent } from './update-change-request-content.ts';
import { updateSpaceContent } from './update-space-content.ts';

/** What both edits of content answer, beside the thing they edited. */
const contentPayload: Record<string, PayloadField<Pick<ContentUpdate, 'revisionId' | 'applied'>>> = {
  revision: {
    type: RevisionType,
    description: 'The new revision; the one before when nothing changed.',
    resolve: ({ revisionId }, ctx) => loadRevision(ctx, revisionId),
  },
  pageIds: {
    type: ['ID'],
    description: 'The pages that changes concerned, in the order of the changes.',
    resolve: ({ applied }) => targetsOf(applied, 'page'),
  },
  insertedFiles: {
    type: [FileType],
    description: 'The files that were inserted, in the order of the changes.',
    resolve: async ({ revisionId, applied }, ctx) => {
      const ids = targetsOf(applied, 'file', 'created');
      const revision = ids.length === 0 ? undefined : await loadRevision(ctx, revisionId);
      const found = revision ? await filesIn(ctx, revision, ids) : new Map<string, never>();
      return ids.flatMap((id) => found.get(id) ?? []);
    },
  },
  insertedReusableContents: {
    type: [ReusableContentType],
    description: 'The reusable contents that were inserted, in the order of the changes.',
    resolve: async ({ revisionId, applied }, ctx) => {
      const ids = targetsOf(applied, 'reusable-content', 'created');
      const revision = ids.length === 0 ? undefined : await loadRevision(ctx, revisionId);
      const found = revision ? await reusableContentsIn(ctx, revision, ids) : new Map<string, never>();
      return ids.flatMap((id) => found.get(id) ?? []);
    },
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
