import { sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { parentOf } from '../placement/index.ts';
import { contentVisibility } from './enums.ts';

type Visibility = z.infer<typeof contentVisibility>;

/** The widest first, as the enum lists them. */
const WIDEST = contentVisibility.options;

const onSites = batchLoader<Visibility>('space:visibility', async (ctx, ids) => {
  const rows = await ctx.db
    .selectFrom('site_space as ss')
    .innerJoin('site as si', 'si.id', 'ss.siteId')
    .where('ss.spaceId', '=', anyOf(ids))
    .where('si.isPublished', '=', sql.lit(true))
    .whereRef('si.organizationId', '=', 'ss.organizationId')
    .groupBy('ss.spaceId')
    .select(['ss.spaceId', sql<Visibility[]>`array_agg(si.visibility)`.as('visibilities')])
    .execute();
  return new Map(
    rows.map(({ spaceId, visibilities }) => [spaceId, WIDEST.find((each) => visibilities.includes(each)) ?? 'private']),
  );
});

/**
 * Who may read a space, batched: what its published site admits, the widest of several; without one,
 * it is private or goes with the collection that it stands in.
 */
export async function visibilityOf(ctx: Context, spaceId: string): Promise<Visibility> {
  const [onSite, parentId] = await Promise.all([onSites(ctx, spaceId), parentOf(ctx, spaceId)]);
  return onSite ?? (parentId ? 'in-collection' : 'private');
}
