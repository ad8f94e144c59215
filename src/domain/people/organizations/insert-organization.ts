import type { Database } from '../../../platform/database/tables.ts';
import { newId } from '../../../platform/ids/ids.ts';

/** Creates an organization with one member, its admin. Returns the id of the organization. */
export async function insertOrganization(
  db: Database,
  { title, emailDomains, adminId, now }: { title: string; emailDomains: string[]; adminId: string; now: string },
): Promise<string> {
  const organizationId = newId('org');
  await db
    .insertInto('organization')
    .values({
      id: organizationId,
      title,
      emailDomains,
      mergeRules: { type: 'rules', rules: [] },
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  await db
    .insertInto('membership')
    .values({ id: newId('member'), organizationId, userId: adminId, role: 'admin', joinedAt: now })
    .execute();
  return organizationId;
}
