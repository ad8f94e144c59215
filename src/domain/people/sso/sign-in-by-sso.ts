import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { holdAccess } from '../access/index.ts';
import { isProvisioned, provisionedAccount } from '../scim/index.ts';
import { insertAccount } from '../users/index.ts';
import type { SamlProviderRow } from './access.ts';
import { admit } from './admit.ts';
import type { Subject } from './entity.ts';
import { SamlError } from './saml-error.ts';

type Provider = Pick<SamlProviderRow, 'id' | 'organizationId' | 'defaultRole' | 'defaultTeamId'>;

/**
 * The account of a person whom an identity provider has authenticated, as a member of its organization: the one that is
 * remembered for the subject, or that SCIM has made for the address. Undefined if an account has verified the address that the provider asserts, which must be
 * proved first (`proveAccount`). Otherwise a new one. No account is found by an address that it only claims.
 */
export async function signInBySso(ctx: Context, provider: Provider, person: Subject): Promise<string | undefined> {
  await holdAccess(ctx, provider.organizationId);
  const known =
    (await remembered(ctx, provider, person)) ??
    (await formerMember(ctx, provider, person)) ??
    (await provisionedMember(ctx, provider, person));
  if (known !== undefined) return admit(ctx, provider, known, person);
  return (await accountWith(ctx, person)) === undefined ? newAccount(ctx, provider, person) : undefined;
}

/** The id of the account that has verified the address of a person. */
export async function accountWith({ db }: Context, { email }: Subject): Promise<string | undefined> {
  const found = await db
    .selectFrom('user')
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .select('id')
    .executeTakeFirst();
  return found?.id;
}

/** A new account without a verified address, since only this organization vouches for the one that the provider asserts. */
export async function newAccount(ctx: Context, provider: Provider, person: Subject): Promise<string> {
  await rejectProvisioned(ctx, provider.organizationId, person);
  const id = await insertAccount(ctx, person.displayName ?? person.email);
  await remember(ctx, provider, person, id);
  return admit(ctx, provider, id, person);
}

/**
 * The account that SCIM has made for the address, which is remembered for the subject. Nobody can have proved it: the organization
 * vouches for the address on both ways.
 */
async function provisionedMember(ctx: Context, provider: Provider, person: Subject): Promise<string | undefined> {
  const { id: samlProviderId, organizationId } = provider;
  const userId = await provisionedAccount(ctx, organizationId, person.email, samlProviderId);
  if (userId === undefined) return undefined;
  await remember(ctx, provider, person, userId);
  await recordEvent(ctx, { kind: 'sso_identity_linked', organizationId, ids: { userId, samlProviderId } });
  return userId;
}

/** A second account of a person would keep access when SCIM deactivates the first. */
async function rejectProvisioned(ctx: Context, organizationId: string, { email }: Subject): Promise<void> {
  if (!(await isProvisioned(ctx, organizationId, email))) return;
  throw new SamlError(
    'Your organization manages a member with your address by SCIM, whose account is another. Sign in again and prove that it is yours, or ask an administrator of your organization to provision you again.',
  );
}

/** Remembers an account for a subject. */
export async function remember(ctx: Context, provider: Provider, person: Subject, userId: string): Promise<void> {
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

/** The account that is remembered for a subject. */
export async function remembered(ctx: Context, { id }: Provider, person: Subject): Promise<string | undefined> {
  const { issuer, kind, subject } = person;
  const found = await ctx.db
    .updateTable('sso_identity')
    .set({ lastUsedAt: nowOf(ctx) })
    .where('samlProviderId', '=', id)
    .where('issuer', '=', issuer)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .returning('userId')
    .executeTakeFirst();
  return found?.userId;
}

/**
 * A member who signed in with this address before subjects were remembered, and has not since. The subject is remembered,
 * and a role that a provider gave is this one's.
 */
async function formerMember(ctx: Context, provider: Provider, person: Subject): Promise<string | undefined> {
  const { id: samlProviderId, organizationId } = provider;
  const found = await ctx.db
    .updateTable('membership as m')
    .set({
      linkableEmail: null,
      roleProviderId: sql<string | null>`case when m.role_provider_id is not null then ${samlProviderId} end`,
    })
    .where('m.organizationId', '=', organizationId)
    .where(sql`lower(m.linkable_email)`, '=', sql`lower(${person.email})`)
    .where((its) =>
      its.not(
        its.exists(
          its
            .selectFrom('sso_identity as i')
            .whereRef('i.userId', '=', 'm.userId')
            .where('i.organizationId', '=', organizationId),
        ),
      ),
    )
    .returning('m.userId')
    .executeTakeFirst();
  if (!found) return undefined;
  await ctx.db
    .updateTable('team_member')
    .set({ samlProviderId })
    .where('organizationId', '=', organizationId)
    .where('userId', '=', found.userId)
    .where('samlProviderId', 'is not', null)
    .execute();
  await remember(ctx, provider, person, found.userId);
  return found.userId;
}
