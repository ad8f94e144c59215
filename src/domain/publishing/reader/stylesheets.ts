import { makeYielder } from '../../../lib/tick.ts';
import { customizationOf, customizationOfSiteSpace, customizationsOf } from '../customization/index.ts';
import type { SiteResponse } from './cache.ts';
import type { SiteView } from './site-view.ts';
import { type Stylesheet, stylesheetOf } from './stylesheet.ts';

const YEAR_SECONDS = 31_536_000;

/** The stylesheet with the hash in its name, among those of the site and its spaces. Others get the present one of the site. */
export async function stylesheetNamed({ ctx, site, structure }: SiteView, name: string): Promise<SiteResponse> {
  const siteSheet = stylesheetOf(await customizationOf(ctx, site));
  const overrides = (await customizationsOf(ctx, site.id))?.overrides.keys() ?? [];
  const pause = makeYielder();
  let match = isNamed(siteSheet, name) ? siteSheet : undefined;
  for (const id of overrides) {
    if (match || !structure.siteSpace(id)) continue;
    await pause();
    const sheet = stylesheetOf(await customizationOfSiteSpace(ctx, site, id));
    if (isNamed(sheet, name)) match = sheet;
  }
  return {
    status: 200,
    headers: {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': match ? `max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
    },
    body: (match ?? siteSheet).css,
  };
}

const isNamed = ({ hash }: Stylesheet, name: string) => name === `${hash}.css`;
