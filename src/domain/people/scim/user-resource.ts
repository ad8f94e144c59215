import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Document } from './document.ts';
import type { Provisioned } from './provision.ts';
import { ENTERPRISE, USER } from './schemas.ts';
import type { UserRow } from './user-rows.ts';
import { versionOfResource } from './version.ts';

/** A user as JSON, with its version. */
export interface UserResource extends Record<string, unknown> {
  id: string;
  meta: { resourceType: string; created: string; lastModified: string; location: string; version: string };
}

interface GroupOfUser {
  userId: string;
  teamId: string;
  title: string;
}

/** Members as users of SCIM, with their teams, which one statement reads. */
export async function userResources(
  ctx: Pick<Context, 'db'>,
  provisioned: Provisioned,
  rows: readonly UserRow[],
): Promise<UserResource[]> {
  const groups = await groupsOf(ctx, provisioned, rows);
  return rows.map((row) => userResource(provisioned, row, groups.get(row.id) ?? []));
}

async function groupsOf(
  { db }: Pick<Context, 'db'>,
  { organizationId }: Provisioned,
  rows: readonly UserRow[],
): Promise<Map<string, GroupOfUser[]>> {
  if (rows.length === 0) return new Map();
  const found = await db
    .selectFrom('team_member as tm')
    .innerJoin('team as t', 't.id', 'tm.teamId')
    .where('tm.organizationId', '=', organizationId)
    .where('tm.userId', '=', anyOf(rows.map(({ id }) => id)))
    .select(['tm.userId', 'tm.teamId', 't.title'])
    .orderBy('tm.teamId')
    .execute();
  return Map.groupBy(found, ({ userId }) => userId);
}

function userResource({ baseUrl }: Provisioned, row: UserRow, groups: readonly GroupOfUser[]): UserResource {
  const { [ENTERPRISE]: enterprise, ...core } = writtenUser(row);
  const resource = {
    schemas: enterprise === undefined ? [USER] : [USER, ENTERPRISE],
    id: row.id,
    ...core,
    ...(groups.length > 0 && {
      groups: groups.map(({ teamId, title }) => ({
        value: teamId,
        $ref: `${baseUrl}/Groups/${teamId}`,
        display: title,
        type: 'direct',
      })),
    }),
    ...(enterprise !== undefined && { [ENTERPRISE]: enterprise }),
  };
  const meta = {
    resourceType: 'User',
    created: row.createdAt,
    lastModified: row.changedAt,
    location: `${baseUrl}/Users/${row.id}`,
  };
  return { ...resource, meta: { ...meta, version: versionOfResource({ ...resource, meta }) } };
}

/** What clients can write of a user. */
export function writtenUser({ userName, externalId, isDisabled, profile, displayName, email }: UserRow): Document {
  return {
    ...(externalId !== null && { externalId }),
    userName,
    ...(profile ?? {
      name: { formatted: displayName },
      displayName,
      ...(email !== null && { emails: [{ value: email, type: 'work', primary: true }] }),
    }),
    active: !isDisabled,
  };
}
