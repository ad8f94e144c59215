import type { Role } from '../../../platform/access/roles.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { type AccessExplanation, type AccessStep, accessInOrganization, role } from '../../people/access/index.ts';
import { loadGrantedTeam, team } from '../../people/teams/index.ts';
import { loadUser, user } from '../../people/users/index.ts';
import { accessLevel, accessSource } from './enums.ts';
import type { EffectiveRow } from './list-effective-permissions.ts';
import type { GrantRow } from './list-permission-grants.ts';
import { originOf, originShape } from './origin.ts';

/** `none` is shown as null: no access. */
const roleShown = (value: Role | null) => (value === 'none' ? null : value);

export const permissionGrant = resource<GrantRow>(
  { name: 'PermissionGrant', description: 'A role that is granted to a user or a team.' },
  (f) => ({
    permission: f.enum(role).nullable('Granted role. Null if the grant removes access.', (row) => roleShown(row.role), {
      graph: 'role',
    }),
    user: f
      .object(() => user)
      .optional('User who has the role. Null if it is granted to a team.', ({ userId }, ctx) =>
        userId === null ? null : loadUser(ctx, userId),
      ),
    team: f
      .object(() => team)
      .optional('Team whose members have the role. Null if it is granted to a user.', ({ teamId }, ctx) =>
        teamId === null ? null : loadGrantedTeam(ctx, teamId),
      ),
    level: f.enum(accessLevel)('Kind of the resource that the role is granted on.', ({ kind }) => kind, {
      rest: false,
    }),
    inherited: f.boolean(
      'Whether the role is granted on a site or collection around the resource, not on the resource itself.',
      ({ depth }) => depth > 0,
      { rest: false },
    ),
  }),
);

export const effectivePermission = resource<EffectiveRow>(
  { name: 'EffectivePermission', description: 'A member with access to a resource.' },
  (f) => ({
    permission: f.enum(role).nullable('Role of the member on the resource.', (row) => roleShown(row.role), {
      graph: 'role',
    }),
    user: f
      .object(() => user)
      .optional('The member. Null if the account no longer exists.', ({ userId }, ctx) => loadUser(ctx, userId)),
    source: f.enum(accessSource)('Origin of the role.', ({ source }) => source, { rest: false }),
    team: f
      .object(() => team)
      .optional(
        'Team that the role is granted to. Null if it does not come from a team.',
        ({ teamId }, ctx) => (teamId === null ? null : loadGrantedTeam(ctx, teamId)),
        { rest: false },
      ),
    origin: f
      .json(originShape)
      .optional('Resource that defines the role. Absent if you cannot see it.', originOf, { graph: false }),
    disabled: f.boolean('Whether the member is disabled and has no access.', ({ isDisabled }) => isDisabled),
    lastSeenAt: f.time.optional(
      'Time when the member was last active. Null if unknown, or if you are a guest.',
      async ({ lastSeenAt, organizationId }, ctx) =>
        (await accessInOrganization(ctx, organizationId))?.role === null ? null : lastSeenAt,
    ),
  }),
);

export const accessStep = resource<AccessStep>(
  { name: 'AccessStep', description: 'A level that was considered when access was decided.' },
  (f) => ({
    level: f.enum(accessLevel)('Kind of the level.', ({ level }) => level),
    role: f
      .enum(role)
      .optional('Role that the level defines for you. Null if it defines none, or no access.', (step) =>
        roleShown(step.role),
      ),
    source: f
      .enum(accessSource)
      .optional(
        'Way in which the level defines access. Null if it defines none; the next level was then considered.',
        ({ source }) => source,
      ),
    team: f
      .object(() => team)
      .optional('Your team that the role is granted to. Null if it does not come from a team.', ({ teamId }, ctx) =>
        teamId === null ? null : loadGrantedTeam(ctx, teamId),
      ),
    decides: f.boolean('Whether this level decides your role.', ({ decides }) => decides),
  }),
);

export const accessExplanation = resource<AccessExplanation>(
  { name: 'AccessExplanation', description: 'Explanation of your access to a resource.' },
  (f) => ({
    role: f
      .enum(role)
      .optional('Your role on the resource. Null if you have none.', (explanation) => roleShown(explanation.role)),
    source: f.enum(accessSource)('Origin of your role.', ({ source }) => source),
  }),
);
