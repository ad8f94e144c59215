import { invalidScimToken } from '../../../platform/access/authenticate.ts';
import type { Context } from '../../../platform/context/context.ts';
import { apiErrorOfConstraint, apiErrorOfContention } from '../../../platform/database/constraints.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { lockAccess, type OrganizationRow, organizationBlockedError } from '../access/index.ts';

/** An organization that is provisioned, with the URL that its resources are at. */
export interface Provisioned {
  organizationId: string;
  baseUrl: string;
}

/**
 * Runs a change in a transaction that has locked the access of the organization, so that changes of members and teams
 * follow each other. FORBIDDEN in a blocked organization.
 */
export async function provision<Result>(
  ctx: Context,
  { organizationId }: Provisioned,
  change: (inside: Context, organization: OrganizationRow) => Promise<Result>,
): Promise<Result> {
  const { disk } = ctx.services;
  disk.rejectKnownFull('database');
  try {
    return await transact(ctx, async (inside) => {
      await lockAccess(inside, organizationId);
      const organization = await inside.db
        .selectFrom('organization')
        .where('id', '=', organizationId)
        .selectAll()
        .executeTakeFirst();
      if (!organization) throw notFound('organization', organizationId);
      if (organization.blocked) throw organizationBlockedError(organization.blocked.reason);
      return change(inside, organization);
    });
  } catch (error) {
    disk.noteError(error);
    throw apiErrorOfConstraint(error) ?? apiErrorOfContention(error) ?? error;
  }
}

/** The organization that the caller provisions. Throws 401 for all others, whether or not they exist. */
export function provisionedBy({ actor, services: { config } }: Context, organizationId: string): Provisioned {
  if (actor.kind !== 'provisioner' || actor.organizationId !== organizationId) throw invalidScimToken();
  return { organizationId, baseUrl: `${config.publicUrl}/scim/v2/${organizationId}` };
}
