import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { getRevision } from './get-revision.ts';
import { listRevisions, revisionsOfSpace } from './list-revisions.ts';
import { loadRevision } from './load-revision.ts';
import { revision } from './resources.ts';

export const RevisionType = typeOf(revision);

registerNode(RevisionType, 'rev', loadRevision);

readInGraph(getRevision);
builder.objectFields(SpaceType, (t) => ({
  revision: t.field({
    type: RevisionType,
    nullable: true,
    description:
      'Current revision of the primary content: its pages, files and variables. Null once the space is deleted.',
    args: {
      metadata: t.arg.boolean({ description: 'Whether to include Git metadata. Default true.' }),
      computed: t.arg.boolean({
        description:
          'Whether to include computed content. Default true. Pages that cannot be computed are returned as `ComputedPage`, with their source.',
      }),
    },
    resolve: async ({ revisionId }, { metadata, computed }, ctx) => {
      const head = await loadRevision(ctx, revisionId);
      const requested = head && metadata === false ? { ...head, git: null } : head;
      return requested && computed === false ? { ...requested, isUncomputed: true } : requested;
    },
  }),
  revisions: connection(t, {
    type: RevisionType,
    operation: listRevisions,
    description:
      'Lists the history of a space: the revisions of its primary content, newest first. Empty if you have no role on the space.',
    without: ['spaceId'],
    from: ({ id }) => ({ spaceId: id }),
    list: ({ id }, _input, ctx) => revisionsOfSpace(ctx, id, {}),
  }),
}));
