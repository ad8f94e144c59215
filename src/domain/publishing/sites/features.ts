import { sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import type { siteFeatureKey } from './enums.ts';

interface Contents {
  siteSpaces: number;
  hasSections: boolean;
  hasVariants: boolean;
}

/** How many spaces a site has, and how they are arranged. Spaces that are deleted do not count. Batched. */
export const siteContents = sharedLoader<Contents>('site:contents', async (db, ids) => {
  const { rows } = await sql<Contents & { id: string }>`
    select si.id, coalesce(sum(level.spaces), 0)::int as "siteSpaces", coalesce(bool_or(level.spaces > 1), false) as "hasVariants",
      exists (select from site_item i where i.site_id = si.id and i.kind = 'section') as "hasSections"
    from unnest(${ids}::text[]) si(id)
    left join lateral (
      select count(*) as spaces from site_space l join space s on s.id = l.space_id and s.deleted_at is null
      where l.site_id = si.id group by l.section_id) level on true
    group by si.id`.execute(db);
  return new Map(rows.map(({ id, ...contents }) => [id, contents]));
});

type FeatureKey = z.infer<typeof siteFeatureKey>;

const BY_VISIBILITY = {
  public: 'sites-public-visibility',
  unlisted: 'sites-unlisted-visibility',
  'share-link': 'sites-share-links',
  'visitor-auth': 'sites-visitor-authentication',
} as const;

/** The features that a site uses. */
export async function featuresOf(ctx: Context, site: Row<'site'>): Promise<{ key: FeatureKey }[]> {
  const { hasSections = false, hasVariants = false } = (await siteContents(ctx, site.id)) ?? {};
  const used: [FeatureKey, boolean][] = [
    ['sites-sections', hasSections],
    ['sites-multivariant-site', hasVariants],
    ['sites-adaptive-content', site.isAdaptive],
    ['sites-custom-domain', site.hostname !== null],
    ['sites-custom-subdirectory', site.proxyOrigin !== null],
    [BY_VISIBILITY[site.visibility], true],
  ];
  return used.filter(([, isUsed]) => isUsed).map(([key]) => ({ key }));
}
