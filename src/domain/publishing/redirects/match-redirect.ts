import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { executeRows } from '../../people/access/index.ts';
import type { RedirectRow } from './access.ts';
import { automaticRedirect } from './automatic-redirect.ts';
import { urlOf, withRest } from './destination.ts';
import { requestedPath, restOf } from './source.ts';

/** The redirect for a path, and where it leads: an absolute URL. Automatic ones are not stored. */
export interface MatchedRedirect {
  redirect: RedirectRow;
  isAutomatic: boolean;
  target: string;
}

/**
 * The live redirect for a path of a site, as it is written in a URL. Former paths of pages come first, then the redirect of
 * the path itself, then the longest that ends in `*`. Undefined if there is none, or if its destination no longer exists or
 * is hidden from the caller. Does not check that the caller may see the site.
 */
export async function matchRedirect(
  ctx: Context,
  siteId: string,
  source: string,
): Promise<MatchedRedirect | undefined> {
  const path = requestedPath(source);
  const automatic = await automaticRedirect(ctx, siteId, path);
  if (automatic) return { ...automatic, isAutomatic: true };
  const redirect = await matching(ctx, siteId, path.toLowerCase());
  const url = redirect && (await urlOf(ctx, siteId, redirect.destination));
  if (!redirect || url === undefined) return undefined;
  const isCaptured = redirect.isWildcard && (redirect.captureWildcard || url.includes('*'));
  return { redirect, isAutomatic: false, target: isCaptured ? withRest(url, restOf(path, redirect.key)) : url };
}

/** `/old/*` also matches `/old`. */
async function matching(ctx: Context, siteId: string, path: string): Promise<RedirectRow | undefined> {
  const [row] = await executeRows<RedirectRow>(
    ctx,
    sql`
      select d.* from site_redirect d
      where d.site_id = ${siteId} and not d.is_draft
        and case when d.is_wildcard then starts_with(${`${path}/`}, d.key) else d.key = ${path} end
      order by d.is_wildcard, length(d.key) desc limit 1`,
  );
  return row;
}
