import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { ScimError } from '../../../platform/errors/scim-error.ts';
import type { ScimDocument } from './document.ts';
import { type Projection, shows } from './projection.ts';
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

/** Maximum number of groups in a response. */
const MAX_GROUPS = 50_000;

/** Members as users of SCIM, with their teams, which one statement reads, unless the response does not show them. */
export async function userResources(
  ctx: Pick<Context, 'db'>,
  provisioned: Provisioned,
  rows: readonly UserRow[],
  projection: Projection,
): Promise<UserResource[]> {
  const groups = shows(projection, 'groups', USER) ? await groupsOf(ctx, provisioned, rows) : new Map();
  return rows.map((row) => userResource(provisioned, row, groups.get(row.id) ?? []));
}

async function groupsOf(
  { db }: Pick<Context, 'db'>,
  { organizationId }: Provisioned,
  rows: readonly UserRow[],
): Promise<Map<string, GroupOfUser[]>> {
  if (rows.length === 0) return new Map();
  const memberships = await db
    .selectFrom('team_member as tm')
    .innerJoin('team as t', 't.id', 'tm.teamId')
    .where('tm.organizationId', '=', organizationId)
    .where('tm.userId', '=', anyOf(rows.map(({ id }) => id)))
    .select(['tm.userId', 'tm.teamId', 't.title'])
    .orderBy('tm.teamId')
    .limit(MAX_GROUPS + 1)
    .execute();
  if (memberships.length > MAX_GROUPS)
    throw new ScimError(
      'tooMany',
      `The users have more than ${MAX_GROUPS} groups. Request fewer users at a time, or excludedAttributes=groups.`,
    );
  return Map.groupBy(memberships, ({ userId }) => userId);
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
  return { ...resource, meta: { ...meta, version: versionOfUser(row) } };
}

/** Made of all that a user shows. */
export const versionOfUser = (row: UserRow): string =>
  versionOfResource({ id: row.id, ...writtenUser(row), groups: row.groupsHash, changedAt: row.changedAt });

/** What clients can write of a user. */
export function writtenUser({ userName, externalId, isDisabled, profile, displayName, email }: UserRow): ScimDocument {
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
