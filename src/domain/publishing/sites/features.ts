import type { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { structureFor } from '../navigation/index.ts';
import type { siteFeatureKey } from './enums.ts';

type FeatureKey = z.infer<typeof siteFeatureKey>;

const BY_VISIBILITY = {
  public: 'sites-public-visibility',
  unlisted: 'sites-unlisted-visibility',
  'share-link': 'sites-share-links',
  'visitor-auth': 'sites-visitor-authentication',
} as const;

/** The features that a site uses, as far as the caller sees its spaces and sections. */
export async function featuresOf(ctx: Context, site: Row<'site'>): Promise<{ key: FeatureKey }[]> {
  const structure = await structureFor(ctx, site.id);
  const sections = structure.sections.map(({ id }) => id);
  const hasVariants = [null, ...sections].some((id) => structure.siteSpacesIn(id).length > 1);
  const used: [FeatureKey, boolean][] = [
    ['sites-sections', sections.length > 0],
    ['sites-multivariant-site', hasVariants],
    ['sites-adaptive-content', site.isAdaptive],
    ['sites-custom-domain', site.hostname !== null],
    ['sites-custom-subdirectory', site.proxyOrigin !== null],
    [BY_VISIBILITY[site.visibility], true],
  ];
  return used.filter(([, isUsed]) => isUsed).map(([key]) => ({ key }));
}
