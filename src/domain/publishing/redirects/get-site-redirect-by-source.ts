import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { query } from '../../../platform/operation.ts';
import { permissions, rowsOf } from '../../people/access/index.ts';
import { authorizeSite, shareKey, siteFor, siteName } from '../sites/index.ts';
import type { RedirectRow } from './access.ts';
import { automaticRedirect } from './automatic-redirect.ts';
import { urlOf, withRest } from './destination.ts';
import { requestedPath, restOf } from './source.ts';

const needed = permissions.getSiteRedirectBySource.site;

export const getSiteRedirectBySource = query({
  name: 'getSiteRedirectBySource',
  description:
    'Gets the live redirect for a path of a site. The former path of a page that was renamed or moved comes first, then a redirect of an imported `.gitbook.yaml`, then the redirect of the path itself, and then the longest that ends in `*` and matches. NOT_FOUND if there is none, or if its destination no longer exists.',
  openToAnonymous: true,
  input: z.object({
    ...siteName,
    source: z.string().min(1).max(2048).describe('Path on the site, such as `/old/page`.'),
    shareKey,
  }),
  authorize: authorizeSite(needed),
  async run(ctx, { source, ...name }) {
    const { id: siteId } = await siteFor(ctx, name, needed);
    const path = requestedPath(source);
    const automatic = await automaticRedirect(ctx, siteId, path);
    if (automatic) return { ...automatic, isAutomatic: true };
    const redirect = await matching(ctx, siteId, path.toLowerCase());
    const url = redirect && (await urlOf(ctx, siteId, redirect.destination));
    if (!redirect || url === undefined) throw notFound('redirect from', source);
    const isCaptured = redirect.isWildcard && (redirect.captureWildcard || url.includes('*'));
    return { redirect, isAutomatic: false, target: isCaptured ? withRest(url, restOf(path, redirect.key)) : url };
  },
});

/** `/old/*` also matches `/old`. */
async function matching(ctx: Context, siteId: string, path: string): Promise<RedirectRow | undefined> {
  const [found] = await rowsOf<RedirectRow>(
    ctx,
    sql`
      select d.* from site_redirect d
      where d.site_id = ${siteId} and not d.is_draft
        and case when d.is_wildcard then starts_with(${`${path}/`}, d.key) else d.key = ${path} end
      order by d.is_wildcard, length(d.key) desc limit 1`,
  );
  return found;
}
