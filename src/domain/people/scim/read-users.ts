import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { type ListRequest, listResponse, listTerms } from './list-request.ts';
import { type Projection, project } from './projection.ts';
import type { Provisioned } from './provision.ts';
import { USER } from './schemas.ts';
import { type UserResource, userResources } from './user-resource.ts';
import { countUsers, filterableUsers, readUser, readUsers } from './user-rows.ts';

/** The members of an organization as users, in three statements. */
export async function listUsers(ctx: Context, provisioned: Provisioned, request: ListRequest) {
  const { organizationId } = provisioned;
  const { startIndex, count } = request;
  const { where, order } = listTerms(request, filterableUsers(organizationId));
  const total = await countUsers(ctx, organizationId, where);
  const rows =
    count === 0 ? [] : await readUsers(ctx, organizationId, { where, order, limit: count, offset: startIndex - 1 });
  const resources = await userResources(ctx, provisioned, rows, request);
  return listResponse(
    resources.map((resource) => project(resource, request, USER)),
    total,
    startIndex,
  );
}

/** A member as a user. NOT_FOUND if there is none in the organization. */
export async function getScimUser(
  ctx: Pick<Context, 'db'>,
  provisioned: Provisioned,
  id: string,
  projection: Projection,
): Promise<UserResource> {
  const row = await readUser(ctx, provisioned.organizationId, id);
  const [resource] = row ? await userResources(ctx, provisioned, [row], projection) : [];
  if (!resource) throw notFound('user', id);
  return resource;
}
