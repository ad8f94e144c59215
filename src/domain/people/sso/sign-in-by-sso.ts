import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { isManagedByScim } from '../members/index.ts';
import { isProvisioned } from '../organizations/index.ts';
import { forgetSubjects, managedAccount, provisionedAccount } from '../scim/index.ts';
import { insertAccount } from '../users/index.ts';
import { idOfProvider, type ProviderRow } from './access.ts';
import { admit } from './admit.ts';
import type { SsoSubject } from './entity.ts';
import { SignInError } from './sign-in-error.ts';

type Provider = Pick<ProviderRow, 'id' | 'protocol' | 'organizationId' | 'defaultRole' | 'defaultTeamId'>;

/**
 * The account of a person whom an identity provider has authenticated, as a member of its organization: the one that is
 * remembered for the subject, or that SCIM has made for the address. Undefined if an account must be proved first
 * (`accountToProve`, `proveAccount`). Otherwise a new one. No account is found by an address that it only claims. The
 * caller has locked the access of the organization.
 */
export async function signInBySso(ctx: Context, provider: Provider, person: SsoSubject): Promise<string | undefined> {
  const userId =
    (await findRememberedAccount(ctx, provider, person)) ??
    (await provisionedMember(ctx, provider, person)) ??
    (await formerMember(ctx, provider, person));
  if (userId !== undefined) return admit(ctx, provider, userId, person);
  const isAsked = (await accountToProve(ctx, provider.organizationId, person)) !== undefined;
  return isAsked ? undefined : newAccount(ctx, provider, person);
}

/** The account that a person must prove to sign in with it. */
export interface AccountToProve {
  userId: string;
  /** It has verified the asserted address, so that an email to the address proves it. */
  hasVerified: boolean;
}

/**
 * The account that has verified the address of a person, or else that of the member with the address whom SCIM manages.
 * Where SCIM makes the members, the former is one of them.
 */
export async function accountToProve(
  ctx: Context,
  organizationId: string,
  person: SsoSubject,
): Promise<AccountToProve | undefined> {
  const verified = await accountWith(ctx, person);
  const isUsable = verified !== undefined && (await isMember(ctx, organizationId, verified));
  const managed = isUsable ? undefined : await managedAccount(ctx, organizationId, person.email);
  if (managed !== undefined) return { userId: managed, hasVerified: false };
  if (verified === undefined || !(isUsable || (await canJoin(ctx, organizationId, person)))) return undefined;
  return { userId: verified, hasVerified: true };
}

/** Whether a person can become a member by signing in: not where SCIM makes the members. */
const canJoin = async (ctx: Context, organizationId: string, { email }: SsoSubject): Promise<boolean> =>
  !(await isProvisioned(ctx, organizationId)) && !(await isManagedByScim(ctx, { organizationId, email }));

async function isMember({ db }: Context, organizationId: string, userId: string): Promise<boolean> {
  const member = await db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .select('id')
    .executeTakeFirst();
  return member !== undefined;
}

/** The id of the account that has verified the address of a person. */
async function accountWith({ db }: Context, { email }: SsoSubject): Promise<string | undefined> {
  const user = await db
    .selectFrom('user')
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .select('id')
    .executeTakeFirst();
  return user?.id;
}

/**
 * A new account without a verified address, since only this organization vouches for the one that the provider asserts.
 */
export async function newAccount(ctx: Context, provider: Provider, person: SsoSubject): Promise<string> {
  const id = await insertAccount(ctx, person.displayName ?? person.email);
  await linkIdentity(ctx, provider, person, id);
  return admit(ctx, provider, id, person);
}

/**
 * The account of the managed member with the address for which only the organization vouches, on both ways. It is
 * remembered for the subject. Not an admin: whoever holds a SCIM token could give the address of another person to an
 * admin, whom that person would become.
 */
async function provisionedMember(ctx: Context, provider: Provider, person: SsoSubject): Promise<string | undefined> {
  const { id: providerId, organizationId } = provider;
  const { email, issuer } = person;
  const account = await provisionedAccount(ctx, organizationId, { email, issuer, providerId });
  if (account === undefined) return undefined;
  const { userId, role } = account;
  if (role === 'admin')
    throw new SignInError(
      'The member with your address is an admin whose account has not signed in with this address yet. An administrator of your organization has to give it another role until you have signed in.',
    );
  await linkIdentity(ctx, provider, person, userId);
  await recordEvent(ctx, { kind: 'sso_identity_linked', organizationId, ids: { userId, ...idOfProvider(provider) } });
  return userId;
}

/**
 * The account that is remembered for a subject. One that is no longer a member is forgotten if SCIM manages a member
 * with the address, whose account is the person's from now on.
 */
export async function findRememberedAccount(
  ctx: Context,
  provider: Provider,
  person: SsoSubject,
): Promise<string | undefined> {
  const { organizationId } = provider;
  const userId = await remembered(ctx, provider, person);
  if (userId === undefined || (await isMember(ctx, organizationId, userId))) return userId;
  if (!(await isManagedByScim(ctx, { organizationId, email: person.email }))) return userId;
  await forgetSubjects(ctx, { organizationId, userId });
  return undefined;
}

/** Remembers an account for a subject. */
export async function linkIdentity(
  ctx: Context,
  provider: Provider,
  person: SsoSubject,
  userId: string,
): Promise<void> {
  const { issuer, kind, subject } = person;
  const now = nowOf(ctx);
  await ctx.db
    .insertInto('sso_identity')
    .values({
      samlProviderId: provider.id,
      issuer,
      kind,
      subject,
      organizationId: provider.organizationId,
      userId,
      createdAt: now,
      lastUsedAt: now,
    })
    .execute();
}

async function remembered(ctx: Context, { id }: Provider, person: SsoSubject): Promise<string | undefined> {
  const { issuer, kind, subject } = person;
  const identity = await ctx.db
    .updateTable('sso_identity')
    .set({ lastUsedAt: nowOf(ctx) })
    .where('samlProviderId', '=', id)
    .where('issuer', '=', issuer)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .returning('userId')
    .executeTakeFirst();
  return identity?.userId;
}

/**
 * A member who signed in with this address before subjects were remembered, and has not since. The subject is
 * remembered, and a role that a provider gave is this one's. Undefined if SCIM manages another member with the address.
 */
async function formerMember(ctx: Context, provider: Provider, person: SsoSubject): Promise<string | undefined> {
  const { id: providerId, organizationId } = provider;
  if (await isManagedByScim(ctx, { organizationId, email: person.email })) return undefined;
  const member = await ctx.db
    .updateTable('membership as m')
    .set({
      linkableEmail: null,
      roleProviderId: sql<string | null>`case when m.role_provider_id is not null then ${providerId} end`,
    })
    .where('m.organizationId', '=', organizationId)
    .where(sql`lower(m.linkable_email)`, '=', sql`lower(${person.email})`)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('sso_identity as i')
            .whereRef('i.userId', '=', 'm.userId')
            .where('i.organizationId', '=', organizationId),
        ),
      ),
    )
    .returning('m.userId')
    .executeTakeFirst();
  if (!member) return undefined;
  await ctx.db
    .updateTable('team_member')
    .set({ samlProviderId: providerId })
    .where('organizationId', '=', organizationId)
    .where('userId', '=', member.userId)
    .where('samlProviderId', 'is not', null)
    .execute();
  await linkIdentity(ctx, provider, person, member.userId);
  return member.userId;
}
