import { atLeast } from '../../platform/access/roles.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { readInGraph } from '../../platform/graphql/coverage.ts';
import { enumType } from '../../platform/graphql/enums.ts';
import { Node, registerNode } from '../../platform/graphql/node.ts';
import { standingOn } from '../access/index.ts';
import { ChangeRequestType } from '../change-requests/graphql.ts';
import type { ChangeRequestRow } from '../change-requests/index.ts';
import { SpaceType } from '../spaces/graphql.ts';
import { UserType } from '../users/graphql.ts';
import { loadUser } from '../users/index.ts';
import type { RevisionRow } from './access.ts';
import { revisionType } from './enums.ts';
import { getRevision } from './get-revision.ts';
import { loadRevision } from './load-revision.ts';

export const RevisionType = builder.objectRef<RevisionRow>('Revision');

RevisionType.implement({
  description: "A state of a space's content. Immutable.",
  interfaces: [Node],
  fields: (t) => ({
    type: t.expose('type', { type: enumType(revisionType), description: 'How it came to be.' }),
    createdAt: t.expose('created_at', { type: 'DateTime', description: 'When it was written.' }),
    author: t.field({
      type: UserType,
      nullable: true,
      description: 'Who wrote it; null when nobody did, and for readers of a published site.',
      resolve: async ({ created_by, space_id }, _args, ctx) => {
        if (created_by === null || !atLeast((await standingOn.space(ctx, space_id))?.level, 'read')) return null;
        return (await loadUser(ctx, created_by)) ?? null;
      },
    }),
    parents: t.field({
      type: [RevisionType],
      nullable: { list: false, items: true },
      description: 'The revisions it was made from: none for the first, two for a merge.',
      resolve: ({ parents }, _args, ctx) =>
        Promise.all(parents.map(async (id) => (await loadRevision(ctx, id)) ?? null)),
    }),
  }),
});

registerNode('rev', loadRevision);

readInGraph(getRevision);
builder.objectFields(SpaceType, (t) => ({
  revision: t.field({
    type: RevisionType,
    nullable: true,
    description:
      'The state that the primary content is at: its pages, files and variables. Null once the space is deleted.',
    resolve: async ({ revision_id }, _args, ctx) => (await loadRevision(ctx, revision_id)) ?? null,
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
    revision: revisionField('The state that its content is at.', ({ revision_id }) => revision_id),
    initialRevision: revisionField(
      "The space's revision that it was created from.",
      ({ revision_initial_id }) => revision_initial_id,
    ),
    mergedAncestorRevision: revisionField(
      'The newest revision of the primary content that was pulled in; null when none was.',
      ({ revision_merged_ancestor_id }) => revision_merged_ancestor_id,
    ),
    mergedRevision: revisionField(
      'The revision that its merge made; null until it is merged.',
      ({ revision_merged_id }) => revision_merged_id,
    ),
  };
});
