import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';

/**
 * Forgets the subjects of SSO that an account is remembered for in an organization: all, or those with one of some
 * names, in any case, and the addresses from before subjects were remembered. The next sign-in of such a person is that
 * of one who is not known. Returns whether there were any.
 */
export async function forgetSubjects(
  ctx: Context,
  { organizationId, userId }: { organizationId: string; userId: string },
  names?: readonly string[],
): Promise<boolean> {
  const isNamed = (name: RawBuilder<unknown>) =>
    names
      ? sql`lower(${name}) in (select lower(name) from unnest(${names}::text[]) as name)`
      : sql`${name} is not null`;
  const { rows } = await sql<{ id: string; protocol: Row<'saml_provider'>['protocol'] | null }>`
    with forgotten as (
      delete from sso_identity i
      where i.organization_id = ${organizationId} and i.user_id = ${userId} and ${isNamed(sql`i.subject`)}
      returning i.saml_provider_id as id),
    former as (
      update membership m set linkable_email = null
      where m.organization_id = ${organizationId} and m.user_id = ${userId} and ${isNamed(sql`m.linkable_email`)}
      returning m.id)
    select p.id, p.protocol from saml_provider p where p.id in (select id from forgotten)
    union all select id, null from former`.execute(ctx.db);
  for (const { id, protocol } of rows) {
    if (protocol === null) continue;
    const provider: Record<string, string> = protocol === 'saml' ? { samlProviderId: id } : { oidcProviderId: id };
    await recordEvent(ctx, { kind: 'sso_identity_unlinked', organizationId, ids: { userId, ...provider } });
  }
  return rows.length > 0;
}
