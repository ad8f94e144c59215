import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';

/** The account of a member whom SCIM manages. */
export interface ProvisionedAccount {
  userId: string;
  role: Row<'membership'>['role'];
}

/**
 * Whether only this organization vouches for an account: its SCIM or SSO made the account, which has no other way to
 * sign in and no membership elsewhere. So no person can prove to own it.
 */
export const isVouchedForBy = (organizationId: string, userId: RawBuilder<unknown>): RawBuilder<boolean> => sql`(
  not exists (select from "user" u where u.id = ${userId} and u.email is not null)
  and not exists (select from passkey k where k.user_id = ${userId})
  and not exists (select from api_token t where t.user_id = ${userId} and t.saml_provider_id is null)
  and not exists (select from oidc_identity i where i.user_id = ${userId})
  and not exists (select from membership o where o.user_id = ${userId} and o.organization_id <> ${organizationId}))`;

const managedMembers = ({ db }: Context, organizationId: string) =>
  db
    .selectFrom('scim_user as s')
    .innerJoin('membership as m', (on) =>
      on.onRef('m.organizationId', '=', 's.organizationId').onRef('m.userId', '=', 's.userId'),
    )
    .where('s.organizationId', '=', organizationId);

/**
 * The account of the managed member with an address, for which only the organization vouches, unless the issuer of the
 * identity provider has named it before. Undefined if there is none, or several.
 */
export async function provisionedAccount(
  ctx: Context,
  organizationId: string,
  { email, issuer, providerId }: { email: string; issuer: string; providerId: string },
): Promise<ProvisionedAccount | undefined> {
  const accounts = await managedMembers(ctx, organizationId)
    .where(isVouchedForBy(organizationId, sql.ref('s.user_id')))
    .where(sql`lower(m.email)`, '=', sql`lower(${email})`)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('sso_identity as i')
            .whereRef('i.userId', '=', 's.userId')
            .where('i.organizationId', '=', organizationId)
            .where('i.samlProviderId', '=', providerId)
            .where('i.issuer', '=', issuer),
        ),
      ),
    )
    .select(['s.userId', 'm.role'])
    .limit(2)
    .execute();
  return accounts.length === 1 ? accounts[0] : undefined;
}

/**
 * The account of the managed member with an address, if a person can prove it. Undefined if there is none, or several.
 */
export async function managedAccount(ctx: Context, organizationId: string, email: string): Promise<string | undefined> {
  const accounts = await managedMembers(ctx, organizationId)
    .where(sql<boolean>`not ${isVouchedForBy(organizationId, sql.ref('s.user_id'))}`)
    .where(sql`lower(m.email)`, '=', sql`lower(${email})`)
    .select('s.userId')
    .limit(2)
    .execute();
  return accounts.length === 1 ? accounts[0]?.userId : undefined;
}
