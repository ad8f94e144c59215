import type { Context } from '../../../platform/context/context.ts';

/** The name of a user who has invited somebody, with the verified address. Undefined if the account no longer exists. */
export async function inviterOf({ db }: Context, userId: string | null): Promise<string | undefined> {
  const inviter = await db
    .selectFrom('user')
    .where('id', '=', userId ?? '')
    .select(['displayName', 'email'])
    .executeTakeFirst();
  return inviter && (inviter.email === null ? inviter.displayName : `${inviter.displayName} (${inviter.email})`);
}
