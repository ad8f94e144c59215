import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { conflict } from '../../../platform/errors/errors.ts';
import type { MemberRow } from './load.ts';

/**
 * Whether SCIM manages a member with an address, or with the address as name. Not counting the member who is `except`.
 */
export async function isManagedByScim(
  { db }: Context,
  { organizationId, email, except = null }: { organizationId: string; email: string; except?: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from scim_user s join membership m on m.organization_id = s.organization_id and m.user_id = s.user_id
    where s.organization_id = ${organizationId} and lower(s.user_name) = lower(${email})
      and s.user_id is distinct from ${except}
    union all
    select 1 from membership m join scim_user s on s.organization_id = m.organization_id and s.user_id = m.user_id
    where m.organization_id = ${organizationId} and lower(m.email) = lower(${email})
      and m.user_id is distinct from ${except}
    limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * CONFLICT for a second account of a person whom SCIM manages: it would keep access when SCIM deactivates the first.
 */
export async function rejectSecondAccount(
  ctx: Context,
  { organizationId, userId, email }: { organizationId: string; userId: string; email: string | null },
): Promise<void> {
  const user = await ctx.db.selectFrom('user').where('id', '=', userId).select('email').executeTakeFirst();
  for (const address of new Set([user?.email ?? null, email])) {
    if (address !== null && (await isManagedByScim(ctx, { organizationId, email: address, except: userId })))
      throw conflict(
        'The identity provider of this organization manages a member with this email address, whose account is another. Sign in with SSO, or ask an administrator of the organization to remove that member first.',
      );
  }
}

/** Notes that an administrator has disabled or enabled a member. SCIM enables only members whom it has disabled. */
export async function endDisablingByScim(ctx: Context, { organizationId, userId }: MemberRow): Promise<void> {
  await ctx.db
    .updateTable('scim_user')
    .set({ hasDisabled: false, updatedAt: nowOf(ctx) })
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .execute();
}
