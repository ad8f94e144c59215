import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { loadOrganization } from '../../people/organizations/index.ts';
import { createLinkInvite } from './create-link-invite.ts';
import { deleteLinkInvite } from './delete-link-invite.ts';
import { getLinkInvite } from './get-link-invite.ts';
import { joinWithLinkInvite } from './join-with-link-invite.ts';
import { linkInvitesOf, listLinkInvites } from './list-link-invites.ts';
import { type LinkInviteRow, loadLinkInvite } from './load.ts';
import { linkInvite } from './resources.ts';
import { updateLinkInvite } from './update-link-invite.ts';

const LinkInviteType = typeOf(linkInvite);

registerNode(LinkInviteType, 'invite', loadLinkInvite);
readInGraph(getLinkInvite);

builder.objectFields(OrganizationType, (t) => ({
  linkInvites: connection(t, {
    type: LinkInviteType,
    operation: listLinkInvites,
    description: `${listLinkInvites.description} FORBIDDEN without that role.`,
    nullable: true,
    parent: 'organizationId',
    list: (organization, { spaceId, collectionId }, ctx) => linkInvitesOf(ctx, organization, { spaceId, collectionId }),
  }),
}));

const linkField = (description: string) => ({
  linkInvite: { type: LinkInviteType, description, resolve: (row: LinkInviteRow) => row },
});

mutation(createLinkInvite, linkField('The new link.'));
mutation(updateLinkInvite, linkField('The updated link.'));

mutation(deleteLinkInvite, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the deleted link. Null if the link did not exist or you cannot see it.',
    resolve: ({ deletedId }) => deletedId,
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization of the link. Null if nothing was deleted.',
    resolve: ({ organizationId }, ctx) => (organizationId === null ? null : loadOrganization(ctx, organizationId)),
  },
});

mutation(joinWithLinkInvite, {
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'The organization that you joined.',
    resolve: ({ organizationId }, ctx) => loadOrganization(ctx, organizationId),
  },
});
