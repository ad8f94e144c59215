import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context/context.ts';
import { apiErrorOf } from '../../../platform/http/error-body.ts';
import { SCIM_JSON, scimErrorBody } from '../../../platform/http/scim.ts';
import type { WebResponse, WebRoute } from '../../../platform/http/web-route.ts';
import { bulk } from './bulk-request.ts';
import { resourceTypeList, resourceTypeOf, schemaList, schemaOf, serviceProviderConfig } from './discovery.ts';
import { objectIn } from './document.ts';
import { listRequest, projectionIn } from './list-request.ts';
import { patchOperations } from './patch-request.ts';
import { project } from './projection.ts';
import { type Provisioned, provisionedBy } from './provision.ts';
import { getGroup, listGroups } from './read-groups.ts';
import { getScimUser, listUsers } from './read-users.ts';
import { GROUP, USER } from './schemas.ts';
import { namesVersion } from './version.ts';
import { createGroup, deleteGroup, patchGroup, replaceGroup } from './write-group.ts';
import { createScimUser, deleteUser, patchUserBy, replaceUser } from './write-user.ts';

const BASE = '/scim/v2/:organizationId';
const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

interface Request {
  ctx: Context;
  request: FastifyRequest;
  provisioned: Provisioned;
  /** Of the resource in the path. */
  id: string;
  query: Readonly<Record<string, unknown>>;
  ifMatch: string | undefined;
}

const route = (method: WebRoute['method'], path: string, act: (of: Request) => Promise<WebResponse>): WebRoute => ({
  method,
  path: `${BASE}${path}`,
  takesScim: true,
  async handle(ctx, request) {
    const { organizationId = '', resourceId: id = '' } = request.params as Record<string, string>; // of the route
    const provisioned = provisionedBy(ctx, organizationId);
    const query = request.query as Record<string, unknown>; // as Fastify parses it
    return act({ ctx, request, provisioned, id, query, ifMatch: request.headers['if-match'] });
  },
});

const json = (status: number, body: object, headers: Record<string, string> = {}): WebResponse => ({
  status,
  headers: { 'content-type': SCIM_JSON, ...headers },
  body: JSON.stringify(body),
});

const NO_CONTENT: WebResponse = { status: 204, headers: {} };

interface Versioned {
  meta: { location: string; version: string };
}

/** A resource with its version, and with its location if it is new. */
function responseWith(
  status: 200 | 201,
  resource: Record<string, unknown> & Versioned,
  { query }: Request,
  schema: string,
): WebResponse {
  const { location, version } = resource.meta;
  const headers = { etag: version, ...(status === 201 && { location }) };
  return json(status, project(resource, projectionIn(query), schema), headers);
}

/** A resource that is read, or 304 if the client has this version. */
function readResponse(resource: Record<string, unknown> & Versioned, of: Request, schema: string): WebResponse {
  const { version } = resource.meta;
  const ifNoneMatch = of.request.headers['if-none-match'];
  if (ifNoneMatch !== undefined && namesVersion(ifNoneMatch, version))
    return { status: 304, headers: { etag: version } };
  return responseWith(200, resource, of, schema);
}

/** The error of one operation of a bulk request. Errors of the service are those of the whole request. */
const errorInBulk = (requestId: string) => (error: unknown) => {
  const apiError = apiErrorOf(error);
  if (!apiError) throw error;
  return { status: String(apiError.status), response: scimErrorBody(apiError, requestId) };
};

/** Users and groups of an organization for its identity provider (SCIM 2.0, RFC 7643 and RFC 7644). */
export const scimRoutes: WebRoute[] = [
  route('GET', '/ServiceProviderConfig', async ({ provisioned }) => json(200, serviceProviderConfig(provisioned))),
  route('GET', '/Schemas', async ({ provisioned }) => json(200, schemaList(provisioned))),
  route('GET', '/Schemas/:resourceId', async ({ provisioned, id }) => json(200, schemaOf(provisioned, id))),
  route('GET', '/ResourceTypes', async ({ provisioned }) => json(200, resourceTypeList(provisioned))),
  route('GET', '/ResourceTypes/:resourceId', async ({ provisioned, id }) => json(200, resourceTypeOf(provisioned, id))),

  route('POST', '/Bulk', async ({ ctx, provisioned, request }) =>
    json(200, await bulk(ctx, provisioned, request.body, errorInBulk(request.id))),
  ),

  route('GET', '/Users', async ({ ctx, provisioned, query }) =>
    json(200, await listUsers(ctx, provisioned, listRequest(query))),
  ),
  route('POST', '/Users/.search', async ({ ctx, provisioned, request }) =>
    json(200, await listUsers(ctx, provisioned, listRequest(objectIn(request.body, SEARCH)))),
  ),
  route('POST', '/Users', async (of) => {
    const user = await createScimUser(of.ctx, of.provisioned, of.request.body, projectionIn(of.query));
    return responseWith(201, user, of, USER);
  }),
  route('GET', '/Users/:resourceId', async (of) =>
    readResponse(await getScimUser(of.ctx, of.provisioned, of.id, projectionIn(of.query)), of, USER),
  ),
  route('PUT', '/Users/:resourceId', async (of) => {
    const user = await replaceUser(of.ctx, of.provisioned, of, of.request.body, projectionIn(of.query));
    return responseWith(200, user, of, USER);
  }),
  route('PATCH', '/Users/:resourceId', async (of) => {
    const operations = patchOperations(of.request.body);
    const user = await patchUserBy(of.ctx, of.provisioned, of, operations, projectionIn(of.query));
    return responseWith(200, user, of, USER);
  }),
  route('DELETE', '/Users/:resourceId', async (of) => {
    await deleteUser(of.ctx, of.provisioned, of);
    return NO_CONTENT;
  }),

  route('GET', '/Groups', async ({ ctx, provisioned, query }) =>
    json(200, await listGroups(ctx, provisioned, listRequest(query))),
  ),
  route('POST', '/Groups/.search', async ({ ctx, provisioned, request }) =>
    json(200, await listGroups(ctx, provisioned, listRequest(objectIn(request.body, SEARCH)))),
  ),
  route('POST', '/Groups', async (of) => {
    const group = await createGroup(of.ctx, of.provisioned, of.request.body, projectionIn(of.query));
    return responseWith(201, group, of, GROUP);
  }),
  route('GET', '/Groups/:resourceId', async (of) =>
    readResponse(await getGroup(of.ctx, of.provisioned, of.id, projectionIn(of.query)), of, GROUP),
  ),
  route('PUT', '/Groups/:resourceId', async (of) => {
    const group = await replaceGroup(of.ctx, of.provisioned, of, of.request.body, projectionIn(of.query));
    return responseWith(200, group, of, GROUP);
  }),
  route('PATCH', '/Groups/:resourceId', async (of) => {
    const etag = await patchGroup(of.ctx, of.provisioned, of, patchOperations(of.request.body));
    return { ...NO_CONTENT, headers: { etag } };
  }),
  route('DELETE', '/Groups/:resourceId', async (of) => {
    await deleteGroup(of.ctx, of.provisioned, of);
    return NO_CONTENT;
  }),
];
