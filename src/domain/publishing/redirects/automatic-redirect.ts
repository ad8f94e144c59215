import type { Context } from '../../../platform/context/context.ts';
import { derivedId } from '../../../platform/ids/ids.ts';
import { pageAtPath } from '../../content/pages/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { locateSiteSpace, pathSegments, structureFor } from '../structure/index.ts';
import type { RedirectRow } from './access.ts';
import { urlOf } from './destination.ts';

/**
 * The redirect from a former path of a page, or from a path of `.gitbook.yaml`. Undefined if a page has the path now,
 * or no page ever had it.
 */
export async function automaticRedirect(
  ctx: Context,
  siteId: string,
  source: string,
): Promise<{ redirect: RedirectRow; target: string } | undefined> {
  const located = locateSiteSpace(await structureFor(ctx, siteId), pathSegments(source));
  if (!located || located.rest.length === 0) return undefined;
  const { siteSpace, rest } = located;
  const path = rest.join('/');
  const space = await loadSpace(ctx, siteSpace.spaceId);
  const match = space && ((await pageAtPath(ctx, space, path)) ?? (await inLowercase(ctx, space, path)));
  if (!match || match.page.path === path) return undefined;
  const { pageId } = match.page;
  const destination = { kind: 'site-page' as const, siteSpaceId: siteSpace.id, pageId };
  const target = await urlOf(ctx, siteId, destination);
  if (target === undefined) return undefined;
  const { organizationId, createdAt, updatedAt } = siteSpace;
  const redirect: RedirectRow = {
    id: derivedId('redirect', `${siteSpace.id} ${path}`),
    organizationId,
    siteId,
    source,
    key: source.toLowerCase(),
    isWildcard: false,
    isDraft: false,
    captureWildcard: false,
    isPermanent: false,
    destination,
    createdAt,
    updatedAt,
    version: 1,
  };
  return { redirect, target };
}

async function inLowercase(ctx: Context, space: { id: string; revisionId: string }, path: string) {
  const lower = path.toLowerCase();
  return lower === path ? null : pageAtPath(ctx, space, lower);
}
