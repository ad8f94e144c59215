import { z } from 'zod';
import type { Issue, IssueInRest } from '../../../platform/errors/errors.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import type { RestInput } from '../../../platform/http/route-input.ts';
import { role } from '../../people/access/index.ts';
import { effectiveOrderField } from './enums.ts';
import { grantPermission } from './grant-permission.ts';
import { listEffectivePermissions } from './list-effective-permissions.ts';
import { listPermissionGrants } from './list-permission-grants.ts';
import { effectivePermission, permissionGrant } from './resources.ts';
import { revokePermission } from './revoke-permission.ts';
import type { TARGET_IDS } from './target.ts';
import { updatePermission } from './update-permission.ts';

type RestFields = Record<string, unknown>;

/** Only the path names the target: members of the body or the query with the names of other targets are ignored. */
function picking<Input>(names: readonly string[]) {
  return (fields: RestFields) => Object.fromEntries(names.map((name) => [name, fields[name]])) as Input; // the operation checks it
}

const roleBody = z.object({ role: updatePermission.input.shape.role });

const grantBody = z.object({
  users: grantPermission.input.shape.userIds,
  teams: grantPermission.input.shape.teamIds,
  role: grantPermission.input.shape.role,
});

/** The input has nothing from the request but its path and what `query` names. */
const PATH_ONLY = z.object({});

const aggregateQuery = z.object({
  role: z
    .enum([...role.options, 'guest'])
    .optional()
    .describe('Only members with exactly this role; `guest` for the members without access.'),
  search: listEffectivePermissions.input.shape.search,
  team: listEffectivePermissions.input.shape.teamId,
  sort: effectiveOrderField.default('joinedAt').describe('Field to sort by. Default: `joinedAt`.'),
  order: z.enum(['asc', 'desc']).default('desc').describe('Sort direction. Default: `desc`.'),
});

/** Input of the aggregate. Members of sites include disabled ones, as clients of the public API expect. */
const aggregateOf =
  (id: string) =>
  ({ role: roleFilter, ...fields }: RestFields, { query: { sort = 'joinedAt', order = 'desc' } }: RestInput) =>
    ({
      ...picking<RestFields>([...names(id), 'search', 'teamId'])(fields),
      ...(roleFilter === 'guest' ? { hasAccess: false } : { role: roleFilter }),
      includeDisabled: id === 'siteId',
      orderBy: { field: sort, direction: order },
    }) as z.input<typeof listEffectivePermissions.input>; // the operation checks it

/** Paths of sites include the organization. */
const names = (id: string) => (id === 'siteId' ? [id, 'organizationId'] : [id]);

function aggregateIssue({ path: [first, second], message }: Issue): IssueInRest | undefined {
  return first === 'orderBy' ? { path: [second === 'direction' ? 'order' : 'sort'], message } : undefined;
}

/** The routes of permissions below a space, a collection or a site. `Target` is its name in operation ids. */
function permissionRoutes(base: string, id: (typeof TARGET_IDS)[number], Target: string): Route[] {
  const path = `${base}/permissions`;
  const grantees = [
    { name: 'User', grantee: 'user', granteeId: 'userId' },
    { name: 'Team', grantee: 'team', granteeId: 'teamId' },
  ] as const;
  return [
    route('POST', path, grantPermission, {
      operationId: `inviteTo${Target}`,
      rename: { users: 'userIds', teams: 'teamIds' },
      toInput: picking([...names(id), 'userIds', 'teamIds', 'role']),
      body: grantBody,
    }),
    listRoute(`${path}/aggregate`, listEffectivePermissions, {
      operationId: `listPermissionsAggregateIn${Target}`,
      query: aggregateQuery,
      body: PATH_ONLY,
      rename: { team: 'teamId' },
      toInput: aggregateOf(id),
      issueInRest: aggregateIssue,
      response: resourceResponse(effectivePermission),
    }),
    ...grantees.flatMap(({ name, grantee, granteeId }) => [
      listRoute(`${path}/${grantee}s`, listPermissionGrants, {
        operationId: `list${name}PermissionsIn${Target}`,
        description: `Lists the ${grantee}s with a role that is granted here, without inherited roles.`,
        body: PATH_ONLY,
        toInput: (fields) => ({ ...picking<object>(names(id))(fields), grantee, inherited: false }),
        response: resourceResponse(permissionGrant),
      }),
      route('PATCH', `${path}/${grantee}s/:${granteeId}`, updatePermission, {
        operationId: `update${name}PermissionIn${Target}`,
        toInput: picking([...names(id), granteeId, 'role']),
        body: roleBody,
      }),
      route('DELETE', `${path}/${grantee}s/:${granteeId}`, revokePermission, {
        operationId: `remove${name}From${Target}`,
        body: PATH_ONLY,
        toInput: picking([...names(id), granteeId]),
      }),
    ]),
  ];
}

export const grantRoutes: Route[] = [
  ...permissionRoutes('/v1/spaces/:spaceId', 'spaceId', 'Space'),
  ...permissionRoutes('/v1/collections/:collectionId', 'collectionId', 'Collection'),
  ...permissionRoutes('/v1/orgs/:organizationId/sites/:siteId', 'siteId', 'Site'),
];
