import type { Database } from '../../../platform/database/tables.ts';
import { newId } from '../../../platform/ids.ts';

/** Writes a new organization with one member, its admin, and answers its id. */
export async function foundOrganization(
  db: Database,
  { title, emailDomains, adminId, now }: { title: string; emailDomains: string[]; adminId: string; now: string },
): Promise<string> {
  const organizationId = newId('org');
  await db
    .insertInto('organization')
    .values({
      id: organizationId,
      title,
      email_domains: emailDomains,
      merge_rules: { type: 'rules', rules: [] },
      created_at: now,
      updated_at: now,
    })
    .execute();
  await db
    .insertInto('membership')
    .values({ id: newId('member'), organization_id: organizationId, user_id: adminId, role: 'admin', joined_at: now })
    .execute();
  return organizationId;
}
