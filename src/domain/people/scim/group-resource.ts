import type { GroupRow, MemberOfGroup } from './group-rows.ts';
import type { Provisioned } from './provision.ts';
import { GROUP } from './schemas.ts';
import { versionOfResource } from './version.ts';

/** A group as JSON, with its version. */
export interface GroupResource extends Record<string, unknown> {
  id: string;
  meta: { resourceType: string; created: string; lastModified: string; location: string; version: string };
}

/** A team as a group of SCIM. Without members if the response does not show them. */
export function groupResource(
  { baseUrl }: Provisioned,
  row: GroupRow,
  members: readonly MemberOfGroup[] | undefined,
): GroupResource {
  const { id, title, externalId, createdAt, changedAt } = row;
  const location = `${baseUrl}/Groups/${id}`;
  return {
    schemas: [GROUP],
    id,
    ...(externalId !== null && { externalId }),
    displayName: title,
    ...(members && members.length > 0 && { members: members.map((member) => shownMember(baseUrl, member)) }),
    meta: {
      resourceType: 'Group',
      created: createdAt,
      lastModified: changedAt,
      location,
      version: versionOfGroup(row),
    },
  };
}

export const versionOfGroup = (row: GroupRow): string => versionOfResource(row);

const shownMember = (baseUrl: string, { userId, displayName }: MemberOfGroup) => ({
  value: userId,
  $ref: `${baseUrl}/Users/${userId}`,
  display: displayName,
  type: 'User',
});
