import { z } from 'zod';
import { answering, listRoute, type Route, route } from '../../../platform/http/route.ts';
import { grantPermission } from './grant-permission.ts';
import { listEffectivePermissions } from './list-effective-permissions.ts';
import { listPermissionGrants } from './list-permission-grants.ts';
import { effectivePermission, permissionGrant } from './resources.ts';
import { revokePermission } from './revoke-permission.ts';
import type { TARGET_IDS } from './target.ts';
import { updatePermission } from './update-permission.ts';

type Given = Record<string, unknown>;

/** The path alone names the target: members of the body or the query with the names of other targets are ignored. */
function picking<Input>(names: readonly string[]) {
  return (given: Given) => Object.fromEntries(names.map((name) => [name, given[name]])) as Input; // the operation checks it
}

const roleBody = z.object({ role: updatePermission.input.shape.role });

const grantBody = z.object({
  users: grantPermission.input.shape.userIds,
  teams: grantPermission.input.shape.teamIds,
  role: grantPermission.input.shape.role,
});

/** The routes of permissions below a space, a collection or a site. `Target` is its name in operation ids. */
export function permissionRoutes(base: string, id: (typeof TARGET_IDS)[number], Target: string): Route[] {
  const path = `${base}/permissions`;
  const grantees = [
    { name: 'User', grantee: 'user', granteeId: 'userId' },
    { name: 'Team', grantee: 'team', granteeId: 'teamId' },
  ] as const;
  return [
    route('POST', path, grantPermission, {
      operationId: `inviteTo${Target}`,
      rename: { users: 'userIds', teams: 'teamIds' },
      toInput: picking([id, 'userIds', 'teamIds', 'role']),
      body: grantBody,
    }),
    listRoute(`${path}/aggregate`, listEffectivePermissions, {
      operationId: `listPermissionsAggregateIn${Target}`,
      toInput: picking([id, 'role']),
      answers: answering(effectivePermission),
    }),
    ...grantees.flatMap(({ name, grantee, granteeId }) => [
      listRoute(`${path}/${grantee}s`, listPermissionGrants, {
        operationId: `list${name}PermissionsIn${Target}`,
        description: `Lists the ${grantee}s that a role is granted to here. Inherited roles are not included.`,
        toInput: (given) => ({ [id]: given[id] as string, grantee, inherited: false }), // from the path
        answers: answering(permissionGrant),
      }),
      route('PATCH', `${path}/${grantee}s/:${granteeId}`, updatePermission, {
        operationId: `update${name}PermissionIn${Target}`,
        toInput: picking([id, granteeId, 'role']),
        body: roleBody,
      }),
      route('DELETE', `${path}/${grantee}s/:${granteeId}`, revokePermission, {
        operationId: `remove${name}From${Target}`,
        toInput: picking([id, granteeId]),
      }),
    ]),
  ];
}

export const grantRoutes: Route[] = [
  ...permissionRoutes('/v1/spaces/:spaceId', 'spaceId', 'Space'),
  ...permissionRoutes('/v1/collections/:collectionId', 'collectionId', 'Collection'),
];
