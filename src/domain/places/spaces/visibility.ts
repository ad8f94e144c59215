import { sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { statement } from '../../../platform/database/statement.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { sharedRead } from '../../../platform/shared-reads.ts';
import { parentOf } from '../placement/index.ts';
import { contentVisibility } from './enums.ts';

type Visibility = z.infer<typeof contentVisibility>;

/** In the order of the enum, the most public first. */
const WIDEST = contentVisibility.options;

const readVisibilities = statement((db, { spaceIds }: { spaceIds: string[] }) =>
  db
    .selectFrom('site_space as ss')
    .innerJoin('site as si', 'si.id', 'ss.siteId')
    .where('ss.spaceId', '=', anyOf(spaceIds))
    .where('si.isPublished', '=', sql.lit(true))
    .whereRef('si.organizationId', '=', 'ss.organizationId')
    .groupBy('ss.spaceId')
    .select(['ss.spaceId', sql<Visibility[]>`array_agg(si.visibility)`.as('visibilities')]),
);

const onSites = batchLoader<Visibility>(
  'space:visibility',
  sharedRead(async (db, spaceIds) => {
    const rows = await readVisibilities({ db }, { spaceIds });
    return new Map(
      rows.map(({ spaceId, visibilities }) => [
        spaceId,
        WIDEST.find((each) => visibilities.includes(each)) ?? 'private',
      ]),
    );
  }),
);

/**
 * Who can read a space, batched: the visibility of its published site (the most public one of several). Without a site,
 * it depends on the parent collection, if there is one.
 */
export async function visibilityOf(ctx: Context, spaceId: string): Promise<Visibility> {
  const [onSite, parentId] = await Promise.all([onSites(ctx, spaceId), parentOf(ctx, spaceId)]);
  return onSite ?? (parentId ? 'in-collection' : 'private');
}
