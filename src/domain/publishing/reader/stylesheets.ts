import { makeYielder } from '../../../lib/tick.ts';
import { customizationOf, customizationOfSiteSpace, customizationsOf } from '../customization/index.ts';
import { cachedFragment, type SiteResponse } from './cache.ts';
import { fragmentCacheKey } from './cache-key.ts';
import type { SiteView } from './site-view.ts';
import { stylesheetOf } from './stylesheet.ts';

const YEAR_SECONDS = 31_536_000;

/**
 * The stylesheet with the hash in its name, among those of the site and its spaces. Others get the present one of the
 * site.
 */
export async function stylesheetNamed(view: SiteView, name: string): Promise<SiteResponse> {
  const { ctx, site } = view;
  const siteSheet = stylesheetOf(await customizationOf(ctx, site));
  const siteSpaceId = siteSheet.hash === hashIn(name) ? undefined : (await overridesByHash(view)).get(hashIn(name));
  const overridden =
    siteSpaceId === undefined ? undefined : stylesheetOf(await customizationOfSiteSpace(ctx, site, siteSpaceId));
  const sheet = overridden ?? siteSheet;
  return {
    status: 200,
    headers: {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': sheet.hash === hashIn(name) ? `max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
    },
    body: sheet.css,
  };
}

const hashIn = (name: string) => name.replace(/\.css$/, '');

/**
 * The site spaces with an appearance of their own, by the hash of their stylesheet. Cached, since anyone can ask for
 * any name.
 */
async function overridesByHash(view: SiteView): Promise<Map<string, string>> {
  const { body } = await cachedFragment(view.ctx, fragmentCacheKey(view, ['stylesheets']), async (ctx) => {
    const { site, structure } = view;
    const pause = makeYielder();
    const byHash: [string, string][] = [];
    for (const id of (await customizationsOf(ctx, site.id))?.overrides.keys() ?? []) {
      if (!structure.siteSpace(id)) continue;
      await pause();
      byHash.push([stylesheetOf(await customizationOfSiteSpace(ctx, site, id)).hash, id]);
    }
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(byHash) };
  });
  return new Map(JSON.parse(body.toString()) as [string, string][]); // as it was written
}
