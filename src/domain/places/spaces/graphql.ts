import type { Row } from '../../../platform/database/tables.ts';
import { afterEvent, RESUMES } from '../../../platform/graphql/after-event.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { lookup } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { loadOrganization } from '../../people/organizations/index.ts';
import { CollectionType } from '../collections/graphql.ts';
import { visibleParent } from '../collections/index.ts';
import { loadSpace } from './access.ts';
import { createSpace } from './create-space.ts';
import { deleteSpace } from './delete-space.ts';
import { duplicateSpace } from './duplicate-space.ts';
import { getSpace } from './get-space.ts';
import { listSpaces, listSpacesInCollection, spacesOfCollection, spacesOfOrganization } from './list-spaces.ts';
import { moveSpace } from './move-space.ts';
import { space } from './resources.ts';
import { restoreSpace } from './restore-space.ts';
import { subscribeToSpace } from './subscribe-to-space.ts';
import { updateSpace } from './update-space.ts';

export const SpaceType = typeOf(space);

registerNode(SpaceType, 'space', loadSpace);

lookup('space', getSpace, SpaceType, { id: 'spaceId' });

builder.objectFields(OrganizationType, (t) => ({
  spaces: connection(t, {
    type: SpaceType,
    operation: listSpaces,
    parent: 'organizationId',
    list: ({ id }, args, ctx) => spacesOfOrganization(ctx, id, args),
  }),
}));

builder.objectFields(CollectionType, (t) => ({
  spaces: connection(t, {
    type: SpaceType,
    operation: listSpacesInCollection,
    parent: 'collectionId',
    list: ({ id }, _input, ctx) => spacesOfCollection(ctx, id, {}),
  }),
}));

/** Shows the row that the command returned: callers who removed their own access still see the result. */
const spaceField = (description: string) => ({
  space: { type: SpaceType, description, resolve: (output: { space: Row<'space'> }) => output.space },
});

mutation(createSpace, spaceField('The new space.'));
mutation(updateSpace, spaceField('The updated space.'));
mutation(restoreSpace, spaceField('The restored space.'));
mutation(duplicateSpace, spaceField('The new space.'));
mutation(moveSpace, spaceField('The moved space.'));

mutation(deleteSpace, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the deleted space. Null if the space did not exist or you cannot see it.',
    resolve: ({ deletedId }) => deletedId,
  },
  collection: {
    type: CollectionType,
    nullable: true,
    description: 'Collection that contained the space. Null at the top level, or if you cannot see that collection.',
    resolve: ({ deletedId }, ctx) => (deletedId === null ? null : visibleParent(ctx, deletedId)),
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization that owns the space. Null if you are not a member of it.',
    resolve: ({ organizationId }, ctx) => (organizationId === null ? null : loadOrganization(ctx, organizationId)),
  },
});

builder.subscriptionField('spaceUpdated', (t) =>
  t.field({
    type: SpaceType,
    nullable: true,
    description: `Delivers a space each time its settings or its primary content change. The stream ends with NOT_FOUND when the space is deleted or you can no longer see it. ${RESUMES}`,
    args: {
      id: t.arg.id({ required: true, description: 'ID of the `Space` (`space_…`).' }),
      after: afterEvent(t),
    },
    subscribe: (_root, args, ctx) => subscribeToSpace(ctx, args),
    resolve: (_event, { id }, ctx) => loadSpace(ctx, id),
  }),
);
