import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';

/** Whether an identity provider makes the members of an organization by SCIM: it has a token. A part of a statement. */
export const hasScimToken = (organizationId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select from scim_token st where st.organization_id = ${organizationId})`;

/** Whether an identity provider makes the members of an organization by SCIM. */
export async function isProvisioned({ db }: Context, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ isProvisioned: boolean }>`
    select ${hasScimToken(sql`${organizationId}`)} as is_provisioned`.execute(db);
  return rows[0]?.isProvisioned === true;
}
