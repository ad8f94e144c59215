import { sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { parentOf } from '../placement/index.ts';
import { contentVisibility } from './enums.ts';

type Visibility = z.infer<typeof contentVisibility>;

/** The widest first, as the enum lists them. */
const WIDEST = contentVisibility.options;

const onSites = batchLoader<Visibility>('space:visibility', async (ctx, ids) => {
  const { rows } = await sql<{ space_id: string; visibilities: Visibility[] }>`
    select ss.space_id, array_agg(si.visibility) as visibilities
    from site_space ss join site si on si.id = ss.site_id
    where ss.space_id = any(${ids}::text[]) and si.is_published and si.organization_id = ss.organization_id
    group by ss.space_id`.execute(ctx.db);
  return new Map(
    rows.map(({ space_id, visibilities }) => [
      space_id,
      WIDEST.find((each) => visibilities.includes(each)) ?? 'private',
    ]),
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
