import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { type GroupResource, groupResource } from './group-resource.ts';
import { countGroups, filterableGroups, membersOfGroups, readGroup, readGroups } from './group-rows.ts';
import { type ListRequest, listResponse, listTerms } from './list-request.ts';
import { type Projection, project, shows } from './projection.ts';
import type { Provisioned } from './provision.ts';
import { GROUP } from './schemas.ts';

/** The teams of an organization as groups, in three statements. */
export async function listGroups(ctx: Context, provisioned: Provisioned, request: ListRequest) {
  const { organizationId } = provisioned;
  const { startIndex, count } = request;
  const { where, order } = listTerms(request, filterableGroups);
  const total = await countGroups(ctx, organizationId, where);
  const rows =
    count === 0 ? [] : await readGroups(ctx, organizationId, { where, order, limit: count, offset: startIndex - 1 });
  const members = shows(request, 'members', GROUP) ? await membersOfGroups(ctx, rows) : undefined;
  return listResponse(
    rows.map((row) => project(groupResource(provisioned, row, members?.get(row.id)), request, GROUP)),
    total,
    startIndex,
  );
}

/** A team as a group. NOT_FOUND if there is none in the organization. */
export async function getGroup(
  ctx: Pick<Context, 'db'>,
  provisioned: Provisioned,
  id: string,
  projection: Projection,
): Promise<GroupResource> {
  const row = await readGroup(ctx, provisioned.organizationId, id);
  if (!row) throw notFound('group', id);
  const members = shows(projection, 'members', GROUP) ? await membersOfGroups(ctx, [row]) : undefined;
  return groupResource(provisioned, row, members?.get(row.id));
}
