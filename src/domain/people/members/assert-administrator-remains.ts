import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { conflict } from '../../../platform/errors/errors.ts';
import type { MemberRow } from './load.ts';

type Administration = Pick<MemberRow, 'role' | 'roleProviderId' | 'isDisabled'>;

const administers = ({ role, isDisabled }: Administration) => role === 'admin' && !isDisabled;

/**
 * CONFLICT if a change would leave the organization without an admin who has joined and is not disabled, or without one
 * whose role no SAML provider gave, since a provider can fail. Who was only added by others can always leave. `next` is the member after the change, or undefined if the membership
 * ends. The caller has locked the access of the organization, so that two admins cannot remove each other at the same
 * time.
 */
export async function assertAdministratorRemains(
  { db }: Context,
  member: MemberRow,
  next: Administration | undefined,
): Promise<void> {
  if (!member.isAccepted || !administers(member) || (next && administers(next))) return;
  const other = await db
    .selectFrom('membership')
    .where('organizationId', '=', member.organizationId)
    .where('role', '=', 'admin')
    .where('isDisabled', '=', sql.lit(false))
    .where('isAccepted', '=', sql.lit(true))
    .where('id', '!=', member.id)
    .$if(member.roleProviderId === null, (others) => others.where('roleProviderId', 'is', null))
    .select('id')
    .limit(1)
    .executeTakeFirst();
  if (!other)
    throw conflict('This is the last admin of the organization who has joined it. Make another member an admin first.');
}
