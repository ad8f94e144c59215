import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { executeRows } from '../../people/access/index.ts';
import type { RedirectRow } from './access.ts';
import { automaticRedirect } from './automatic-redirect.ts';
import { urlOf, withRest } from './destination.ts';
import { canonicalPath, requestedPath, restOf } from './source.ts';

/** The redirect for a path, and where it leads: an absolute URL. Automatic ones are not stored. */
export interface MatchedRedirect {
  redirect: RedirectRow;
  isAutomatic: boolean;
  target: string;
}

/**
 * The live redirect for a path of a site, as it is written in a URL. Former paths of pages come first, then the
 * redirect of the path itself, then the longest that ends in `*`. Undefined if there is none, or if its destination no
 * longer exists or is hidden from the caller. Does not check that the caller may see the site.
 */
export async function matchRedirect(
  ctx: Context,
  siteId: string,
  source: string,
): Promise<MatchedRedirect | undefined> {
  const path = requestedPath(source);
  const automatic = await automaticRedirect(ctx, siteId, path);
  if (automatic) return { ...automatic, isAutomatic: true };
  // Redirects that were written before keys were canonical are found by the path as it is requested.
  const forms = [canonicalPath(path), path];
  const redirect = await matching(ctx, siteId, forms.map(inLowercase));
  const url = redirect && (await urlOf(ctx, siteId, redirect.destination));
  if (!redirect || url === undefined) return undefined;
  const isCaptured = redirect.isWildcard && (redirect.captureWildcard || url.includes('*'));
  if (!isCaptured) return { redirect, isAutomatic: false, target: url };
  const matched = forms.find((form) => `${inLowercase(form)}/`.startsWith(redirect.key)) ?? path;
  return { redirect, isAutomatic: false, target: withRest(url, restOf(matched, redirect.key)) };
}

const inLowercase = (path: string) => path.toLowerCase();

/** The redirect for one of the forms of a path. `/old/*` also matches `/old`. */
async function matching(ctx: Context, siteId: string, forms: string[]): Promise<RedirectRow | undefined> {
  const [row] = await executeRows<RedirectRow>(
    ctx,
    sql`
      select d.* from site_redirect d
      where d.site_id = ${siteId} and not d.is_draft and exists (
        select from unnest(${forms}::text[]) as form
        where case when d.is_wildcard then starts_with(form || '/', d.key) else d.key = form end)
      order by d.is_wildcard, length(d.key) desc limit 1`,
  );
  return row;
}
