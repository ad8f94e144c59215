import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
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
    ? sql`lower(i.subject) in (select lower(name) from unnest(${names}::text[]) as name)`
    : sql`true`;
  const { rows } = await sql<{ id: string; protocol: Row<'saml_provider'>['protocol'] }>`
    with forgotten as (
      delete from sso_identity i
      where i.organization_id = ${organizationId} and i.user_id = ${userId} and ${isNamed}
      returning i.saml_provider_id)
    select id, protocol from saml_provider where id in (select saml_provider_id from forgotten)`.execute(ctx.db);
  for (const { id, protocol } of rows) {
    const provider: Record<string, string> = protocol === 'saml' ? { samlProviderId: id } : { oidcProviderId: id };
    await recordEvent(ctx, { kind: 'sso_identity_unlinked', organizationId, ids: { userId, ...provider } });
  }
}
