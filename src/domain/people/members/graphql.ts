import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { orNull } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { OrganizationType } from '../organizations/graphql.ts';
import { loadOrganization } from '../organizations/index.ts';
import { listsMembers } from './access.ts';
import { addSsoMember } from './add-sso-member.ts';
import { getMember } from './get-member.ts';
import { joinOrganization } from './join-organization.ts';
import { listMembers, memberListOptions, membersOfOrganization } from './list-members.ts';
import { loadMember, type MemberRow } from './load.ts';
import { pingOrganization } from './ping-organization.ts';
import { removeMember } from './remove-member.ts';
import { member } from './resources.ts';
import { updateMember } from './update-member.ts';

export const MemberType = typeOf(member);

registerNode(MemberType, 'member', loadMember);

readInGraph(getMember);
builder.objectFields(OrganizationType, (t) => ({
  member: t.field({
    type: MemberType,
    nullable: true,
    description: `${getMember.description} Null if the user is not a member or you cannot see the member.`,
    args: { userId: t.arg.id({ required: true, description: 'ID of the `User` (`user_…`) who is the member.' }) },
    resolve: ({ id }, { userId }, ctx) => orNull(getMember(ctx, { organizationId: id, userId: String(userId) })),
  }),
  members: connection(t, {
    type: MemberType,
    operation: listMembers,
    nullable: true,
    parent: 'organizationId',
    list: async ({ id }, args, ctx) => {
      await listsMembers(ctx, id);
      return membersOfOrganization(ctx, id, memberListOptions(args));
    },
  }),
}));

mutation(updateMember, {
  member: { type: MemberType, description: 'The updated member.', resolve: (updated: MemberRow) => updated },
});

mutation(removeMember, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the removed member. Null if the member did not exist or you cannot see it.',
    resolve: ({ deletedId }) => deletedId,
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization that the member belonged to. Null if nothing was removed, or if you left it.',
    resolve: ({ organizationId }, ctx) => (organizationId === null ? null : loadOrganization(ctx, organizationId)),
  },
});

mutation(addSsoMember, {
  member: { type: MemberType, description: 'The SSO member.', resolve: (added: MemberRow) => added },
});

mutation(joinOrganization, {
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'The organization. Null if your membership is disabled.',
    resolve: ({ organizationId }, ctx) => loadOrganization(ctx, organizationId),
  },
});

mutation(pingOrganization, {
  member: { type: MemberType, description: 'You as a member.', resolve: (pinged) => pinged.member },
  visitorClaims: {
    type: 'String',
    nullable: true,
    description:
      'A JWT with claims about you, valid for an hour. Null unless you are an SSO member, and if the mutation is repeated with the same idempotency key.',
    resolve: ({ visitorClaims }) => visitorClaims,
  },
});
