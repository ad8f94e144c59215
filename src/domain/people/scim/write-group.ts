import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { ScimError } from '../../../platform/errors/scim-error.ts';
import { recordEvent, recordEvents } from '../../../platform/events/record-event.ts';
import { settingsBetween, settingsSet } from '../../../platform/events/settings-changes.ts';
import {
  deleteMembers,
  endTeam,
  insertTeam,
  rejectNonMembers,
  renameTeam,
  Team,
  type TeamRow,
  upsertMembers,
} from '../teams/index.ts';
import { type GroupChange, groupChange, groupIn } from './group-request.ts';
import { type GroupResource, versionOfGroup } from './group-resource.ts';
import { readGroup } from './group-rows.ts';
import type { PatchOperation } from './patch-request.ts';
import type { Projection } from './projection.ts';
import { type Provisioned, provision } from './provision.ts';
import { getGroup } from './read-groups.ts';
import { checkVersion } from './version.ts';

/** A group that a request is about, with its header `If-Match`. */
export interface GroupName {
  id: string;
  ifMatch: string | undefined;
}

/** Makes a team without an owner: admins of the organization and the identity provider change it. */
export async function createGroup(
  ctx: Context,
  provisioned: Provisioned,
  body: unknown,
  projection: Projection,
): Promise<GroupResource> {
  const change = groupIn(body);
  const { organizationId } = provisioned;
  return provision(ctx, provisioned, async (inside) => {
    await rejectTaken(inside, organizationId, change.title);
    const { id } = await insertTeam(inside, { organizationId, title: change.title });
    const team = await lockedTeam(inside, id);
    await writeMembers(inside, team, change);
    await writeExternalId(inside, team, null, change.externalId ?? null, { isNew: true });
    return getGroup(inside, provisioned, id, projection);
  });
}

/** Replaces a group with its members. */
export const replaceGroup = (
  ctx: Context,
  provisioned: Provisioned,
  name: GroupName,
  body: unknown,
  projection: Projection,
): Promise<GroupResource> => {
  const change = groupIn(body);
  return provision(ctx, provisioned, async (inside) => {
    await changeGroup(inside, provisioned, name, change);
    return getGroup(inside, provisioned, name.id, projection);
  });
};

/** Applies operations to a group. Returns its version, since the group itself can be large. */
export const patchGroup = (
  ctx: Context,
  provisioned: Provisioned,
  name: GroupName,
  operations: readonly PatchOperation[],
): Promise<string> => {
  const change = groupChange(operations);
  return provision(ctx, provisioned, async (inside) => {
    await changeGroup(inside, provisioned, name, change);
    const row = await readGroup(inside, provisioned.organizationId, name.id);
    if (!row) throw notFound('group', name.id);
    return versionOfGroup(row);
  });
};

/** Deletes a team. Access that its members had through it ends. */
export const deleteGroup = (ctx: Context, provisioned: Provisioned, name: GroupName): Promise<void> =>
  provision(ctx, provisioned, async (inside) => {
    await existing(inside, provisioned, name);
    await endTeam(inside, await lockedTeam(inside, name.id));
  });

async function existing(ctx: Context, { organizationId }: Provisioned, { id, ifMatch }: GroupName) {
  const row = await readGroup(ctx, organizationId, id);
  if (!row) throw notFound('group', id);
  checkVersion(ifMatch, versionOfGroup(row));
  return row;
}

async function lockedTeam(ctx: Context, id: string): Promise<TeamRow> {
  const team = await lockEntity(ctx, Team, { id });
  if (!team) throw notFound('group', id);
  return team;
}

async function changeGroup(ctx: Context, provisioned: Provisioned, name: GroupName, change: GroupChange) {
  const row = await existing(ctx, provisioned, name);
  const team = await lockedTeam(ctx, row.id);
  const { title, externalId } = change;
  if (title !== undefined && title !== row.title) {
    if (title.toLowerCase() !== row.title.toLowerCase()) await rejectTaken(ctx, team.organizationId, title);
    await manage(ctx, team);
    await renameTeam(ctx, team, title);
  }
  await writeMembers(ctx, team, change);
  if (externalId !== undefined) await writeExternalId(ctx, team, row.externalId, externalId);
}

/** Identity providers find groups by their names. */
async function rejectTaken({ db }: Context, organizationId: string, title: string): Promise<void> {
  const team = await db
    .selectFrom('team')
    .where('organizationId', '=', organizationId)
    .where(sql`lower(title)`, '=', sql`lower(${title})`)
    .select('id')
    .executeTakeFirst();
  if (team) throw new ScimError('uniqueness', `displayName: another group is named "${title}".`);
}

/** Records that SCIM manages the team, so that the times of its changes are stored. */
async function manage(ctx: Context, { id: teamId, organizationId }: TeamRow): Promise<void> {
  const now = nowOf(ctx);
  await ctx.db
    .insertInto('scim_group')
    .values({ teamId, organizationId, externalId: null, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.column('teamId').doNothing())
    .execute();
}

/**
 * Adds and removes members. Those who already belong to the team keep their role in it. A membership that a sign-in
 * with an identity provider gave counts for all sign-ins once SCIM names the member.
 */
async function writeMembers(ctx: Context, team: TeamRow, change: GroupChange): Promise<void> {
  const { id: teamId, organizationId } = team;
  const rows = await membersAmong(ctx, teamId, change.members ? undefined : change.added.union(change.removed));
  const before = new Set(rows.map(({ userId }) => userId));
  const after = new Set(change.members ?? before);
  for (const id of change.removed) after.delete(id);
  for (const id of change.added) after.add(id);
  const ofProvider = new Set(rows.flatMap(({ userId, samlProviderId }) => (samlProviderId === null ? [] : [userId])));
  const named = change.members ? after : change.added;
  const addUserIds = [...after.difference(before), ...named.intersection(ofProvider)];
  const removeUserIds = [...before.difference(after)];
  if (addUserIds.length === 0 && removeUserIds.length === 0) return;
  await rejectNonMembers(ctx, organizationId, addUserIds, () => ['members']);
  await manage(ctx, team);
  if (removeUserIds.length > 0) await deleteMembers(ctx, team, removeUserIds);
  for (const part of partsOf(addUserIds, ADDED_AT_ONCE)) {
    await upsertMembers(
      ctx,
      team,
      part.map((userId) => ({ userId })),
    );
  }
  await recordEvents(
    ctx,
    [
      ...partsOf(addUserIds, IDS_IN_EVENT).map((part) => settingsSet({ addUserIds: part })),
      ...partsOf(removeUserIds, IDS_IN_EVENT).map((part) => settingsSet({ removeUserIds: part })),
    ].map((changes) => ({ kind: 'team_members_updated', organizationId, ids: { teamId }, changes })),
  );
}

/** The members of a team, or those of them that are named. */
function membersAmong({ db }: Context, teamId: string, named: ReadonlySet<string> | undefined) {
  const members = db.selectFrom('team_member').where('teamId', '=', teamId).select(['userId', 'samlProviderId']);
  return (named ? members.where('userId', '=', anyOf([...named])) : members).execute();
}

const ADDED_AT_ONCE = 1_000;

/** A longer list would be kept as its hash. */
const IDS_IN_EVENT = 10;

const partsOf = (ids: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => ids.slice(index * size, (index + 1) * size));

async function writeExternalId(
  ctx: Context,
  { id: teamId, organizationId }: TeamRow,
  before: string | null,
  externalId: string | null,
  { isNew = false } = {},
): Promise<void> {
  if (before === externalId && !isNew) return;
  const updatedAt = nowOf(ctx);
  await ctx.db
    .insertInto('scim_group')
    .values({ teamId, organizationId, externalId, createdAt: updatedAt, updatedAt })
    .onConflict((conflict) => conflict.column('teamId').doUpdateSet({ externalId, updatedAt }))
    .execute();
  if (before === externalId) return;
  const changes = settingsBetween({ externalId: before }, { externalId });
  await recordEvent(ctx, { kind: 'scim_group_updated', organizationId, ids: { teamId }, changes });
}
