import { mutation } from '../../../platform/graphql/mutation.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { getSpace } from '../../places/spaces/index.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { loadRevision } from '../revisions/index.ts';
import { applySpaceTemplate } from './apply-space-template.ts';

mutation(applySpaceTemplate, {
  space: {
    type: SpaceType,
    description: 'The space, at its new revision.',
    resolve: ({ spaceId }, ctx) => getSpace(ctx, { spaceId }),
  },
  revision: {
    type: RevisionType,
    description: 'The new revision.',
    resolve: ({ revisionId }, ctx) => loadRevision(ctx, revisionId),
  },
});
