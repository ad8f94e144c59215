import { mutation } from '../../../platform/graphql/mutation.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { getSpace } from '../../places/spaces/index.ts';
import { contentPreview } from '../dry-runs/index.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { loadRevision } from '../revisions/index.ts';
import { applySpaceTemplate } from './apply-space-template.ts';
import { TEMPLATE_PREVIEW_DESCRIPTION } from './resources.ts';

mutation(applySpaceTemplate, {
  space: {
    type: SpaceType,
    description: 'The space, at its new revision.',
    resolve: ({ spaceId }, ctx) => getSpace(ctx, { spaceId }),
  },
  revision: {
    type: RevisionType,
    description: 'The new revision, or with `dryRun` the current one.',
    resolve: ({ revisionId }, ctx) => loadRevision(ctx, revisionId),
  },
  preview: {
    type: typeOf(contentPreview),
    nullable: true,
    description: TEMPLATE_PREVIEW_DESCRIPTION,
    resolve: ({ preview }) => preview,
  },
});
