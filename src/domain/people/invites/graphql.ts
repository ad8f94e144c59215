import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { OrganizationType } from '../organizations/graphql.ts';
import { loadOrganization } from '../organizations/index.ts';
import { UserType } from '../users/graphql.ts';
import { loadUser } from '../users/index.ts';
import { acceptInvite } from './accept-invite.ts';
import { deleteInvite } from './delete-invite.ts';
import { inviteMembers } from './invite-members.ts';
import { invitesOf, listInvites } from './list-invites.ts';
import { loadEmailInvite } from './load.ts';
import { emailInvite } from './resources.ts';

const EmailInviteType = typeOf(emailInvite);

registerNode(EmailInviteType, 'emailinvite', loadEmailInvite);

builder.objectFields(OrganizationType, (t) => ({
  invites: connection(t, {
    type: EmailInviteType,
    operation: listInvites,
    description: `${listInvites.description} FORBIDDEN if you are not an admin.`,
    nullable: true,
    parent: 'organizationId',
    list: ({ id }, _input, ctx) => invitesOf(ctx, id),
  }),
}));

mutation(inviteMembers, {
  users: {
    type: [UserType],
    description: 'Users who became members.',
    resolve: async ({ userIds }, ctx) =>
      (await Promise.all(userIds.map((id) => loadUser(ctx, id)))).filter((user) => user !== undefined),
  },
  invites: {
    type: [EmailInviteType],
    description: 'The new invitations.',
    resolve: async ({ inviteIds }, ctx) =>
      (await Promise.all(inviteIds.map((id) => loadEmailInvite(ctx, id)))).filter((invite) => invite !== undefined),
  },
  refusedEmails: {
    type: ['EmailAddress'],
    description: 'Addresses that were not invited, because SSO members need an email domain of the organization.',
    resolve: ({ refusedEmails }) => refusedEmails,
  },
});

mutation(deleteInvite, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the invitation. Null if it did not exist or you cannot see it.',
    resolve: ({ deletedId }) => deletedId,
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization of the invitation. Null if nothing was deleted.',
    resolve: ({ organizationId }, ctx) => (organizationId === null ? null : loadOrganization(ctx, organizationId)),
  },
});

mutation(acceptInvite, {
  organizationId: {
    type: 'ID',
    description: 'ID of the organization. Its new member can read it.',
    resolve: ({ organizationId }) => organizationId,
  },
  user: {
    type: UserType,
    nullable: true,
    description: 'The new member.',
    resolve: ({ userId }, ctx) => loadUser(ctx, userId),
  },
  secret: {
    type: 'String',
    nullable: true,
    description:
      'An access token of a new account, to send as `Authorization: Bearer <secret>`. Returned only once. Null for existing accounts.',
    resolve: ({ token }) => token,
  },
});
