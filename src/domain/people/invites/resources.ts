import { isOperator } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { role } from '../access/index.ts';
import { loadUser, user } from '../users/index.ts';
import { inviteSecret } from './invite-secret.ts';
import { type EmailInviteRow, isUsableInvite, linkOf } from './load.ts';

export const emailInvite = resource<EmailInviteRow>(
  {
    name: 'EmailInvite',
    object: 'email-invite',
    node: 'emailinvite',
    description: 'A pending invitation to an organization by email.',
  },
  (f) => ({
    email: f.email('Email address that was invited.', ({ email }) => email),
    role: f.enum(role).nullable('Role in the organization. Null if the person becomes a guest.', (row) =>
      // An invitation never has the role `none`.
      row.role === 'none' ? null : row.role,
    ),
    sso: f.boolean('Whether the person becomes an SSO member.', ({ isSso }) => isSso),
    isUsable: f.boolean(
      'Whether the invitation can be accepted. False if the user who sent it is disabled or may no longer invite people: then invite the address again.',
      async ({ id }, ctx) => (await isUsableInvite(ctx, id)) ?? false,
    ),
    createdAt: f.time('Time when the person was invited.', ({ createdAt }) => createdAt),
    expiresAt: f.time('Time when the link expires.', ({ expiresAt }) => expiresAt),
    sentAt: f.time.optional('Time when the email was sent. Null if it was not sent yet.', ({ sentAt }) => sentAt),
    invitedBy: f.reference(() => user, 'User who sent the invitation. Null if the account no longer exists.', {
      prefix: 'user',
      id: ({ invitedBy }) => invitedBy,
      load: ({ invitedBy }, ctx) => (invitedBy === null ? null : loadUser(ctx, invitedBy)),
    }),
    url: f.url.optional(
      'Link that accepts the invitation, to pass on to the person. Null if the service sends emails, so that only the recipient has the link. If an operator of the service sent the invitation, the link also verifies the address, so it is shown only to operators. Also null if the link cannot be read: see `hasUnreadableSecret`.',
      (row, ctx) => (isShown(row, ctx) ? linkOf(ctx, row) : null),
    ),
    hasUnreadableSecret: f.boolean(
      "Whether the link cannot be shown because the service's secret key was lost. People who have the link can still use it. To replace it, invite the address again: an hour after the invitation at the earliest if the service sends emails.",
      (row, { services }) => inviteSecret.isUnreadable(services, row, row.secret),
    ),
  }),
);

/** Whether the link may be shown. Only the recipient may have a link that verifies an address. */
const isShown = ({ sentAt, isVouched }: EmailInviteRow, { services, actor }: Context): boolean =>
  !services.mailer && sentAt === null && (!isVouched || isOperator(actor));
