import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';

/** The account of a member whom SCIM manages. */
export interface ProvisionedAccount {
  userId: string;
  role: Row<'membership'>['role'];
}

const managedMembers = ({ db }: Context, organizationId: string) =>
  db
    .selectFrom('scim_user as s')
    .innerJoin('membership as m', (on) =>
      on.onRef('m.organizationId', '=', 's.organizationId').onRef('m.userId', '=', 's.userId'),
    )
    .innerJoin('user as u', 'u.id', 's.userId')
    .where('s.organizationId', '=', organizationId);

/**
 * The account that SCIM has made in an organization for the person with an address, unless the person has proved it since or
 * the identity provider has named it before. Undefined if there is none, or several.
 */
export async function provisionedAccount(
  ctx: Context,
  organizationId: string,
  email: string,
  samlProviderId: string,
): Promise<ProvisionedAccount | undefined> {
  const found = await managedMembers(ctx, organizationId)
    .where('s.hasMadeAccount', '=', true)
    .where('u.email', 'is', null)
    .where(sql`lower(m.email)`, '=', sql`lower(${email})`)
    .where((its) =>
      its.not(
        its.exists(
          its
            .selectFrom('sso_identity as i')
            .whereRef('i.userId', '=', 's.userId')
            .where('i.samlProviderId', '=', samlProviderId),
        ),
      ),
    )
    .select(['s.userId', 'm.role'])
    .limit(2)
    .execute();
  return found.length === 1 ? found[0] : undefined;
}

/**
 * The account of a member with an address whom SCIM manages, if a person can prove it: SCIM has not made it, or its owner has
 * verified an address since. Undefined if there is none, or several.
 */
export async function managedAccount(ctx: Context, organizationId: string, email: string): Promise<string | undefined> {
  const found = await managedMembers(ctx, organizationId)
    .where((its) => its.or([its('s.hasMadeAccount', '=', false), its('u.email', 'is not', null)]))
    .where(sql`lower(m.email)`, '=', sql`lower(${email})`)
    .select('s.userId')
    .limit(2)
    .execute();
  return found.length === 1 ? found[0]?.userId : undefined;
}

/** Whether SCIM manages a member with an address, or with the address as name. */
export async function isProvisioned({ db }: Context, organizationId: string, email: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from scim_user s join membership m on m.organization_id = s.organization_id and m.user_id = s.user_id
    where s.organization_id = ${organizationId} and lower(s.user_name) = lower(${email})
    union all
    select 1 from membership m join scim_user s on s.organization_id = m.organization_id and s.user_id = m.user_id
    where m.organization_id = ${organizationId} and lower(m.email) = lower(${email})
    limit 1`.execute(db);
  return rows.length > 0;
}
