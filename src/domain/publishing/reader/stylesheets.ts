import { customizationOf, customizationOfSiteSpace } from '../customization/index.ts';
import type { SiteAnswer } from './cache.ts';
import type { SiteView } from './site-view.ts';
import { stylesheetOf } from './stylesheet.ts';

const YEAR_SECONDS = 31_536_000;

/** The stylesheet with the hash in its name, among those of the site and its spaces. Others get the present one of the site. */
export async function stylesheetNamed({ ctx, site, structure }: SiteView, name: string): Promise<SiteAnswer> {
  const own = stylesheetOf(await customizationOf(ctx, site));
  const ofSpaces = await Promise.all(structure.siteSpaces.map(({ id }) => customizationOfSiteSpace(ctx, site, id)));
  const found = [own, ...ofSpaces.map(stylesheetOf)].find(({ hash }) => name === `${hash}.css`);
  return {
    status: 200,
    headers: {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': found ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
    },
    body: (found ?? own).css,
  };
}
