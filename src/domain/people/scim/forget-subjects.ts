import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';

/**
 * Forgets the subjects of SSO that an account is remembered for in an organization: all, or those with one of some names, in
 * any case. The next sign-in of such a person is that of one who is not known.
 */
export async function forgetSubjects(
  ctx: Context,
  { organizationId, userId }: { organizationId: string; userId: string },
  names?: readonly string[],
): Promise<void> {
  const isNamed = names
    ? sql<boolean>`lower(subject) in (select lower(name) from unnest(${names}::text[]) as name)`
    : sql<boolean>`true`;
  const forgotten = await ctx.db
    .deleteFrom('sso_identity')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .where(isNamed)
    .returning('samlProviderId')
    .execute();
  for (const samlProviderId of new Set(forgotten.map((identity) => identity.samlProviderId)))
    await recordEvent(ctx, { kind: 'sso_identity_unlinked', organizationId, ids: { userId, samlProviderId } });
}
