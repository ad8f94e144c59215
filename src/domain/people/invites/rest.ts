import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { role } from '../access/index.ts';
import { acceptInvite } from './accept-invite.ts';
import { deleteInvite } from './delete-invite.ts';
import { inviteMembers } from './invite-members.ts';
import { listInvites } from './list-invites.ts';
import { loadEmailInvite } from './load.ts';
import { emailInvite } from './resources.ts';

const INVITES = '/v1/orgs/:organizationId/invites';

const inviteBody = z.object({
  emails: z
    .array(
      z.union([
        z.string().describe('Email address.'),
        z.object({
          email: z.string().describe('Email address.'),
          role: role.nullish().describe('Role in the organization. If null, the person becomes a guest.'),
        }),
      ]),
    )
    .max(100)
    .describe('1 to 100 email addresses, each with a role of its own or without one.'),
  role: inviteMembers.input.shape.role,
  sso: inviteMembers.input.shape.sso,
});

const invitedShape = z
  .object({
    users: z.array(idOf('user')).describe('IDs of users who became members.'),
    invited: z.int().min(0).describe('Number of people who got a link.'),
    invites: z
      .array(shapeOf(emailInvite))
      .describe('The new invitations. Without a mail server, each has its link in `url`.'),
    failedSSOEmails: z
      .array(z.string())
      .describe('Addresses that were not invited, because SSO members need an email domain of the organization.'),
  })
  .meta({ id: 'InvitedMembers', description: 'The result of inviting people.' });

const acceptedShape = z
  .object({
    organization: idOf('org').describe('ID of the organization.'),
    user: idOf('user').describe('ID of the new member.'),
    secret: z
      .string()
      .optional()
      .describe('An access token of a new account. Returned only once. Absent for existing accounts.'),
  })
  .meta({ id: 'AcceptedInvite', description: 'The result of accepting an invitation.' });

export const inviteRoutes: Route[] = [
  route('POST', INVITES, inviteMembers, {
    operationId: 'inviteUsersToOrganization',
    body: inviteBody,
    rename: { emails: 'people' },
    toInput: ({ people, ...input }) =>
      ({ ...input, ...(people !== undefined && { people: peopleOf(people) }) }) as z.input<typeof inviteMembers.input>, // untrusted; the operation checks it
    shape: invitedShape,
    present: async ({ userIds, inviteIds, refusedEmails }, ctx) => ({
      users: userIds,
      invited: inviteIds.length,
      invites: await presentInvites(inviteIds, ctx),
      failedSSOEmails: refusedEmails,
    }),
  }),
  listRoute(INVITES, listInvites, {
    operationId: 'listOrganizationEmailInvites',
    response: resourceResponse(emailInvite),
  }),
  route('DELETE', `${INVITES}/:inviteId`, deleteInvite, { operationId: 'deleteOrganizationEmailInvite' }),
  route('POST', '/v1/invites/:inviteId/accept', acceptInvite, {
    operationId: 'acceptInvite',
    shape: acceptedShape,
    headers: () => ({ 'cache-control': 'no-store' }),
    present: ({ organizationId, userId, token }) => ({
      organization: organizationId,
      user: userId,
      ...(token !== null && { secret: token }),
    }),
  }),
];

async function presentInvites(ids: readonly string[], ctx: Context): Promise<unknown[]> {
  const invites = await Promise.all(ids.map((id) => loadEmailInvite(ctx, id)));
  return Promise.all(invites.flatMap((row) => (row ? [present(emailInvite, row, ctx)] : [])));
}

/** Plain addresses as objects. Other values stay as they are, for the operation to reject. */
const peopleOf = (emails: unknown): unknown =>
  Array.isArray(emails) ? emails.map((entry) => (typeof entry === 'string' ? { email: entry } : entry)) : emails;
