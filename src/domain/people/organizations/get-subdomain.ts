import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { query } from '../../../platform/operation/operation.ts';
import { isActing, type OrganizationRow } from '../access/index.ts';
import { organizationHostname } from './settings.ts';

export const getSubdomain = query({
  name: 'getSubdomain',
  description: 'Gets a subdomain that is the hostname of one of your organizations.',
  input: z.object({
    subdomain: organizationHostname.describe(
      'Name of the subdomain: 3 to 32 lowercase letters, digits and inner hyphens.',
    ),
  }),
  async run(ctx, { subdomain }): Promise<OrganizationRow> {
    requireUserId(ctx.actor);
    const organization = await ctx.db
      .selectFrom('organization as o')
      .innerJoin('membership as m', 'm.organizationId', 'o.id')
      .where(isActing(ctx.actor, 'm'))
      .where('o.hostname', '=', subdomain)
      .selectAll('o')
      .executeTakeFirst();
    if (!organization) throw notFound('subdomain', subdomain);
    return organization;
  },
});
