import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { conflict } from '../../../platform/errors.ts';
import type { MemberRow } from './load.ts';

const administers = ({ role, isDisabled }: Pick<MemberRow, 'role' | 'isDisabled'>) => role === 'admin' && !isDisabled;

/**
 * CONFLICT if a change would leave the organization without an admin who is not disabled. `next` is the member after the
 * change, or undefined if the membership ends. The caller holds the access of the organization, so that two admins cannot
 * remove each other at the same time.
 */
export async function keepAdministrator(
  { db }: Context,
  member: MemberRow,
  next: Pick<MemberRow, 'role' | 'isDisabled'> | undefined,
): Promise<void> {
  if (!administers(member) || (next && administers(next))) return;
  const other = await db
    .selectFrom('membership')
    .where('organizationId', '=', member.organizationId)
    .where('role', '=', 'admin')
    .where('isDisabled', '=', sql.lit(false))
    .where('id', '!=', member.id)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  if (!other) throw conflict('This is the last admin of the organization. Make another member an admin first.');
}
