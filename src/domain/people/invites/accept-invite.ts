import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { provenAccountOf, rejectBeyondReach, requireScope, userIdOf } from '../../../platform/access/actor.ts';
import { hashToken, makeToken } from '../../../platform/access/credentials.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { ApiError, conflict, forbidden } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { command, idOf, parse } from '../../../platform/operation/operation.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { lineFrom } from '../../../platform/shapes/cut-text.ts';
import { decideBeforeLocks, lockAccess, lockCredential, organizationBlockedError } from '../access/index.ts';
import { joinAs } from '../members/index.ts';
import { type StartedSession, startSession } from '../sessions/index.ts';
import { displayName, issueToken, setVerifiedEmail } from '../users/index.ts';
import { type EmailInviteRow, mayInviterInvite } from './load.ts';

export const acceptInvite = command({
  name: 'acceptInvite',
  scope: 'admin',
  description:
    'Accepts an invitation by email with the single-use secret from its link. With an access token, you become a ' +
    'member. Without one, an account is created; its address is verified if the link was sent to it, or if an operator of the service sent the invitation. If an account has already verified the address, a link that was sent to the address makes this account a member; any other link requires its access token, otherwise CONFLICT. FORBIDDEN in an SSO session of another organization, and for applications that are limited to organizations. NOT_FOUND if the invitation was used, withdrawn or has expired, if the person who sent it is disabled or may no longer invite people, or if the secret is wrong.',
  input: z.object({
    inviteId: idOf('emailinvite'),
    secret: z.string().min(1).max(200).describe('Secret from the link: the part after the dot.'),
    displayName: displayName
      .nullish()
      .describe('Display name of a new account, 1 to 64 characters. Default: the part of the address before the @.'),
  }),
  openToAnonymous: true,
  async run(ctx, input): Promise<Accepted & { token: string | null }> {
    const accepted = await acceptIn(ctx, input);
    return { ...accepted, token: accepted.isNew ? await tokenOf(ctx, accepted.userId) : null };
  },
  shownOnce: ['token'],
});

/** A new user has an access token to act with. */
async function tokenOf(ctx: Context, userId: string): Promise<string> {
  const secret = makeToken();
  await issueToken(ctx.db, { secret, userId, label: 'Invitation', now: nowOf(ctx) });
  return secret;
}

/**
 * Accepts an invitation in a browser: a new user gets a session instead of an access token. Others, who have ways to
 * sign in, get none.
 */
export function acceptInviteInBrowser(
  ctx: Context,
  raw: z.input<typeof acceptInvite.input>,
): Promise<Accepted & { session: StartedSession | null }> {
  const input = parse(acceptInvite.input, raw);
  requireScope(ctx.actor, acceptInvite.scope);
  return transact(ctx, async (inside) => {
    const accepted = await acceptIn(inside, input);
    return { ...accepted, session: accepted.isNew ? await startSession(inside, { userId: accepted.userId }) : null };
  });
}

/** A member by an invitation. */
interface Accepted {
  organizationId: string;
  userId: string;
  /** The account is new. */
  isNew: boolean;
}

async function acceptIn(ctx: Context, input: z.output<typeof acceptInvite.input>): Promise<Accepted> {
  const invite = await takeInvite(ctx, input.inviteId, input.secret);
  rejectBeyondReach(ctx.actor, invite.organizationId);
  const userId = userIdOf(ctx.actor);
  const account =
    userId === undefined ? await accountFor(ctx, invite, input.displayName) : await ownAccount(ctx, invite, userId);
  const { organizationId, role, isSso } = invite;
  // A verified address is shown as it is, also after it changes.
  const isVerified = (await accountWith(ctx, invite.email))?.id === account.userId;
  const { member } = await joinAs(ctx, {
    organizationId,
    userId: account.userId,
    role,
    isSso,
    email: isVerified ? null : invite.email,
  });
  if (member.isDisabled) throw forbidden('Your membership in this organization is disabled.');
  await recordEvent(ctx, { kind: 'invite_accepted', organizationId, ids: { userId: account.userId } });
  return { organizationId, ...account };
}

/** Finds the invitation and deletes it, so that its secret works once. */
async function takeInvite(ctx: Context, inviteId: string, secret: string): Promise<EmailInviteRow> {
  await decideBeforeLocks(ctx, async (deciding) => {
    const { organizationId } = await findInvite(deciding, inviteId, secret);
    await lockAccess(deciding, organizationId);
    const organization = await deciding.db
      .selectFrom('organization')
      .where('id', '=', organizationId)
      .select('blocked')
      .executeTakeFirst();
    if (!organization) throw unusable();
    if (organization.blocked) throw organizationBlockedError(organization.blocked.reason);
  });
  // Under the lock: no member is disabled and no invitation withdrawn meanwhile.
  const deleted = await ctx.db
    .deleteFrom('email_invite as i')
    .where('i.id', '=', inviteId)
    .where('i.expiresAt', '>', nowOf(ctx))
    .where(mayInviterInvite())
    .returningAll()
    .executeTakeFirst();
  if (!deleted) throw unusable();
  return deleted;
}

/** The invitation of a link. NOT_FOUND if the link cannot be used. */
export async function findInvite(ctx: Context, inviteId: string, secret: string): Promise<EmailInviteRow> {
  const invite = await ctx.db
    .selectFrom('email_invite as i')
    .where('i.id', '=', inviteId)
    .where(mayInviterInvite())
    .selectAll('i')
    .executeTakeFirst();
  const isRight = invite !== undefined && timingSafeEqual(Buffer.from(invite.secretHash), hashToken(secret));
  if (!invite || !isRight || invite.expiresAt <= nowOf(ctx)) throw unusable();
  return invite;
}

const unusable = () =>
  new ApiError(
    'NOT_FOUND',
    'This invitation was already accepted, withdrawn or replaced, has expired, was sent by someone who can no longer invite people, or the link is incomplete. Ask for a new one.',
  );

/** Whether the address is proven: by an email that only its reader saw, or by an operator. */
const isProven = ({ sentAt, isVouched }: EmailInviteRow) => sentAt !== null || isVouched;

/**
 * The account of the caller. An address that the caller has claimed is verified by an invitation that proves it, unless
 * another account has verified it.
 */
async function ownAccount(ctx: Context, invite: EmailInviteRow, userId: string) {
  if (isProven(invite) && provenAccountOf(ctx.actor) !== undefined && !(await accountWith(ctx, invite.email))) {
    await lockCredential(ctx);
    const user = await ctx.db
      .selectFrom('user')
      .where('id', '=', userId)
      .where(sql<string>`lower(unverified_email)`, '=', invite.email.toLowerCase())
      .select('unverifiedEmail')
      .forUpdate()
      .executeTakeFirst();
    if (user?.unverifiedEmail) await setVerifiedEmail(ctx, userId, user.unverifiedEmail);
  }
  return { userId, isNew: false };
}

/** The account that has verified an address. */
const accountWith = ({ db }: Context, email: string) =>
  db.selectFrom('user').where(sql<string>`lower(email)`, '=', email.toLowerCase()).select('id').executeTakeFirst();

/**
 * The account that has verified the address of the invitation, else a new one. An administrator who has read the link
 * is not taken for its owner.
 */
async function accountFor(ctx: Context, invite: EmailInviteRow, name: string | null | undefined) {
  const { email } = invite;
  const account = await accountWith(ctx, email);
  if (account && !isProven(invite))
    throw conflict(
      'An existing account has verified this address. Accept the invitation with an access token of that account.',
    );
  if (account) return { userId: account.id, isNew: false };
  const [userId, now] = [newId('user'), nowOf(ctx)];
  const accountName = name ?? lineFrom(email.slice(0, email.lastIndexOf('@')), 64);
  await ctx.db
    .insertInto('user')
    .values({
      id: userId,
      email: isProven(invite) ? email : null,
      displayName: accountName,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  await recordEvent(ctx, { kind: 'user_created', organizationId: null, ids: { userId } });
  return { userId, isNew: true };
}
