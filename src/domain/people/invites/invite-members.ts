import { sql } from 'kysely';
import { z } from 'zod';
import { DAY_MS } from '../../../lib/durations.ts';
import { isOperator, requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { conflict } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { enqueueAll } from '../../../platform/jobs/enqueue.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { lockCredential, type OrganizationRow, organizationFor, permissions, role } from '../access/index.ts';
import { joinAs, lockOrganizationAccess } from '../members/index.ts';
import { effectiveDomainsOf } from '../organizations/index.ts';
import { domainOfEmail, emailAddress } from '../users/index.ts';
import { anHourAgo } from './an-hour-ago.ts';
import { newInviteSecret } from './invite-secret.ts';
import { sendInvite } from './send-invite.ts';
import { sendMemberNotice } from './send-member-notice.ts';

const needed = permissions.inviteMembers.organization;

const MAX_AT_ONCE = 100;
const MAX_INVITES = 1_000;
const VALID_MS = 7 * DAY_MS;

const person = z
  .object({
    email: emailAddress.describe('Email address, up to 254 characters.'),
    role: role
      .nullish()
      .describe('Role in the organization. If null, the person becomes a guest. Default: `role` of the input.'),
  })
  .meta({ inputName: 'InvitedPersonInput', description: 'A person to invite.' });

type Person = z.output<typeof person>;

export const inviteMembers = command({
  name: 'inviteMembers',
  scope: 'admin',
  description:
    'Invites people to an organization by email. Users of the service with that verified address become members at once; ' +
    'members keep their role. An email tells new members where to sign in. The organization gets no events of their accounts, such as sign-ins, until they agree to the membership: by SSO, by a link, by `joinOrganization`, or by being active in it (`pingOrganization`). Others get a link by email that is valid for seven days and creates their account. Without ' +
    'a mail server, `Organization.invites` has the links. Inviting an address again replaces its link. With a mail server, an ' +
    'address that the organization has invited within the last hour keeps its link instead, and no second email is sent.',
  input: z.object({
    organizationId: idOf('org'),
    people: z.array(person).min(1).max(MAX_AT_ONCE).describe('1 to 100 people to invite.'),
    role: role.nullish().describe('Role of people for whom no role is given. If null or omitted, they become guests.'),
    sso: z
      .boolean()
      .nullish()
      .describe('Whether they become SSO members. Each address must then have an email domain of the organization.'),
  }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, people, role: defaultRole, sso }) {
    const organization = await lockOrganizationAccess(ctx, organizationId, needed);
    await lockCredential(ctx);
    const isSso = sso ?? false;
    const invited = withRoles(people, defaultRole ?? null);
    const domains = new Set(isSso ? await effectiveDomainsOf(ctx, organizationId) : []);
    const isWelcome = ({ email }: Invited) => !isSso || domains.has(domainOfEmail(email));
    const welcome = invited.filter(isWelcome);
    const userIdByEmail = await knownUsers(ctx, welcome);
    const joined: string[] = [];
    for (const { email, role: invitedRole } of welcome) {
      const userId = userIdByEmail.get(email.toLowerCase());
      if (userId === undefined) continue;
      const joining = { organizationId, userId, role: invitedRole, isSso, email, isAccepted: false };
      const { isNew } = await joinAs(ctx, joining);
      if (isNew) joined.push(userId);
    }
    await notifyMembers(ctx, organizationId, joined);
    const others = welcome.filter(({ email }) => !userIdByEmail.has(email.toLowerCase()));
    const invites = await writeInvites(ctx, organization, others, isSso);
    const refused = invited.filter((invitee) => !isWelcome(invitee)).map(({ email }) => email);
    return { organizationId, userIds: joined, inviteIds: invites.map(({ id }) => id), refusedEmails: refused };
  },
});

/** Emails to people with an account who have become members. Those who were members already are not mailed again. */
async function notifyMembers(ctx: Context, organizationId: string, userIds: readonly string[]): Promise<void> {
  if (!ctx.services.mailer) return;
  const invitedBy = requireUserId(ctx.actor);
  const jobs = userIds.map((userId) => ({ data: { organizationId, userId, invitedBy }, group: organizationId }));
  await enqueueAll(ctx, sendMemberNotice, jobs);
}

/** Null is the role of guests. */
type MemberRole = NonNullable<Person['role']> | null;
type Invited = { email: string; role: MemberRole };

/** Each address once, with its own role or the default. The first mention counts. */
function withRoles(people: Person[], defaultRole: MemberRole): Invited[] {
  const byEmail = new Map<string, Invited>();
  for (const { email, role: ownRole } of people) {
    const key = email.toLowerCase();
    if (!byEmail.has(key)) byEmail.set(key, { email, role: ownRole === undefined ? defaultRole : ownRole });
  }
  return [...byEmail.values()];
}

/** Ids of the users with these verified addresses, by the address in lowercase. A claimed address may be anyone's. */
async function knownUsers({ db }: Context, invited: Invited[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('user')
    .where(sql<string>`lower(email)`, '=', anyOf(invited.map(({ email }) => email.toLowerCase())))
    .select(['id', 'email'])
    .execute();
  return new Map(rows.map(({ id, email }) => [email?.toLowerCase() ?? '', id]));
}

async function writeInvites(
  ctx: Context,
  { id: organizationId }: OrganizationRow,
  invited: Invited[],
  isSso: boolean,
): Promise<{ id: string }[]> {
  if (invited.length === 0) return [];
  await rejectTooManyInvites(ctx, organizationId, invited);
  const renewed = ctx.services.mailer ? await renewRecent(ctx, organizationId, invited, isSso) : [];
  const isRenewed = new Set(renewed.map(({ email }) => email.toLowerCase()));
  const others = invited.filter(({ email }) => !isRenewed.has(email.toLowerCase()));
  const made = await replaceInvites(ctx, organizationId, others, isSso);
  const changes = settingsSet({ emails: invited.map(({ email }) => email), isSso });
  await recordEvent(ctx, { kind: 'members_invited', organizationId, changes });
  return [...renewed, ...made];
}

/**
 * Renews the invitations that were made within the last hour, also those that were withdrawn. Their links stay, so that
 * no second email is needed: whoever invites an address again and again does not fill its mailbox. An email that could
 * not be sent is sent.
 */
async function renewRecent(
  ctx: Context,
  organizationId: string,
  invited: Invited[],
  isSso: boolean,
): Promise<{ id: string; email: string }[]> {
  const emails = invited.map(({ email }) => email.toLowerCase());
  const roles = invited.map(({ role }) => role);
  const { rows } = await sql<{ id: string; email: string; isSent: boolean }>`
    update email_invite i set role = p.role::role, is_sso = ${isSso}, is_vouched = ${isOperator(ctx.actor)},
      invited_by = ${requireUserId(ctx.actor)}, expires_at = ${expiryFrom(nowOf(ctx))}::timestamptz
    from unnest(${emails}::text[], ${roles}::text[]) as p(email, role)
    where i.organization_id = ${organizationId} and lower(i.email) = p.email
      and i.created_at > ${anHourAgo(ctx)}::timestamptz
    returning i.id, i.email, i.sent_at is not null as "isSent"`.execute(ctx.db);
  await sendAll(
    ctx,
    organizationId,
    rows.filter(({ isSent }) => !isSent),
  );
  return rows;
}

/** Enqueues the emails of invitations, if the service sends emails. */
async function sendAll(ctx: Context, organizationId: string, invites: readonly { id: string }[]): Promise<void> {
  if (!ctx.services.mailer || invites.length === 0) return;
  const jobs = invites.map(({ id }) => ({ data: { inviteId: id }, group: organizationId }));
  await enqueueAll(ctx, sendInvite, jobs);
}

const expiryFrom = (now: string) => new Date(Date.parse(now) + VALID_MS).toISOString();

/** Makes invitations, which replace those to the same addresses, and sends them. */
async function replaceInvites(
  ctx: Context,
  organizationId: string,
  invited: Invited[],
  isSso: boolean,
): Promise<{ id: string }[]> {
  if (invited.length === 0) return [];
  await ctx.db
    .deleteFrom('email_invite')
    .where('organizationId', '=', organizationId)
    .where(sql<string>`lower(email)`, '=', anyOf(invited.map(({ email }) => email.toLowerCase())))
    .execute();
  const now = nowOf(ctx);
  const rows = invited.map(({ email, role: invitedRole }) => {
    const id = newId('emailinvite');
    return {
      id,
      organizationId,
      email,
      role: invitedRole,
      isSso,
      isVouched: isOperator(ctx.actor),
      ...newInviteSecret(ctx.services, id),
      invitedBy: requireUserId(ctx.actor),
      createdAt: now,
      expiresAt: expiryFrom(now),
    };
  });
  await ctx.db.insertInto('email_invite').values(rows).execute();
  await sendAll(ctx, organizationId, rows);
  return rows;
}

/**
 * CONFLICT if the organization would have too many invitations. Those to the same addresses are replaced. Withdrawn
 * ones count until they are removed at night: otherwise, an organization could mail any number of addresses by
 * withdrawing each invitation.
 */
async function rejectTooManyInvites(ctx: Context, organizationId: string, invited: Invited[]): Promise<void> {
  const { count } = await ctx.db
    .selectFrom('email_invite')
    .where('organizationId', '=', organizationId)
    .where(sql<boolean>`lower(email) <> all(${invited.map(({ email }) => email.toLowerCase())}::text[])`)
    .select((invite) => invite.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count + invited.length > MAX_INVITES) {
    throw conflict(
      `An organization can have ${MAX_INVITES} invitations by email. Withdraw some of them; they stop counting the next night.`,
    );
  }
}
