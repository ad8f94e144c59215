import { mutation, type PayloadField } from '../../../platform/graphql/mutation.ts';
import { payloadOf } from '../../../platform/graphql/resource-type.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { getSpace } from '../../places/spaces/index.ts';
import { ChangeRequestType } from '../change-requests/graphql.ts';
import { getChangeRequest } from '../change-requests/index.ts';
import { FileType } from '../files/graphql.ts';
import { pagesPayload } from '../pages/graphql.ts';
import { ReusableContentType } from '../reusable-contents/graphql.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { loadRevision } from '../revisions/index.ts';
import {
  affectedPages,
  type ContentUpdate,
  contentUpdate,
  insertedFiles,
  insertedReusableContents,
  stepOf,
} from './resources.ts';
import { updateChangeRequestContent } from './update-change-request-content.ts';
import { updateSpaceContent } from './update-space-content.ts';

const contentPayload: Record<string, PayloadField<ContentUpdate>> = {
  ...payloadOf(contentUpdate),
  revision: {
    type: RevisionType,
    description: 'The new revision, or the previous one if nothing changed.',
    resolve: ({ revisionId }, ctx) => loadRevision(ctx, revisionId),
  },
  previousRevision: {
    type: RevisionType,
    description:
      'The revision before the edit, which is `revision` if nothing changed. If it is another one than `baseRevisionId`, the content also has the edits of others.',
    nullable: true,
    resolve: ({ previousRevisionId }, ctx) =>
      previousRevisionId === undefined ? null : loadRevision(ctx, previousRevisionId),
  },
  insertedFiles: {
    type: [FileType],
    description: 'Inserted files, in the order of the changes.',
    resolve: insertedFiles,
  },
  insertedReusableContents: {
    type: [ReusableContentType],
    description: 'Inserted reusable contents, in the order of the changes.',
    resolve: insertedReusableContents,
  },
};

const pagesOf = <Update extends ContentUpdate>(ownerOf: (update: Update) => string) =>
  pagesPayload<Update>({
    stepOf: (update, ctx) => stepOf(update, ownerOf(update), ctx),
    pages: {
      description:
        'The affected pages that were not deleted, with their new content, in the order of the changes. Their IDs are those of `page`, so that a client cache is updated without another request.',
      resolve: (update, ctx) => affectedPages(update, ownerOf(update), ctx),
    },
  });

mutation(updateSpaceContent, {
  space: {
    type: SpaceType,
    description: 'The space, at the new revision.',
    resolve: ({ spaceId }, ctx) => getSpace(ctx, { spaceId }),
  },
  ...contentPayload,
  ...pagesOf(({ spaceId }) => spaceId),
});

mutation(updateChangeRequestContent, {
  changeRequest: {
    type: ChangeRequestType,
    description: 'The change request, at the new revision.',
    resolve: ({ changeRequestId }, ctx) => getChangeRequest(ctx, { changeRequestId }),
  },
  ...contentPayload,
  ...pagesOf(({ changeRequestId }) => changeRequestId),
});
