import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';

/**
 * The account that SCIM has made in an organization for the person with an address, unless the person has proved it since or
 * the identity provider has named it before. Undefined if there is none, or several.
 */
export async function provisionedAccount(
  { db }: Context,
  organizationId: string,
  email: string,
  samlProviderId: string,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('scim_user as s')
    .innerJoin('membership as m', (on) =>
      on.onRef('m.organizationId', '=', 's.organizationId').onRef('m.userId', '=', 's.userId'),
    )
    .innerJoin('user as u', 'u.id', 's.userId')
    .where('s.organizationId', '=', organizationId)
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
    .select('s.userId')
    .limit(2)
    .execute();
  return found.length === 1 ? found[0]?.userId : undefined;
}

/** Whether SCIM manages a member with an address. */
export async function isProvisioned({ db }: Context, organizationId: string, email: string): Promise<boolean> {
  const found = await db
    .selectFrom('scim_user as s')
    .innerJoin('membership as m', (on) =>
      on.onRef('m.organizationId', '=', 's.organizationId').onRef('m.userId', '=', 's.userId'),
    )
    .where('s.organizationId', '=', organizationId)
    .where(sql`lower(m.email)`, '=', sql`lower(${email})`)
    .select('s.userId')
    .executeTakeFirst();
  return found !== undefined;
}
