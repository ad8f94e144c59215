import type { Context } from '../../../platform/context.ts';
import { derivedId } from '../../../platform/ids.ts';
import { pageIdAtPath } from '../../store/trees/index.ts';
import { locate, segmentsOf, structureFor } from '../structure/index.ts';
import type { RedirectRow } from './access.ts';
import { urlOf } from './destination.ts';

/**
 * The redirect from a former path of a page, or from a path of `.gitbook.yaml`. Undefined if a page has the path now, or
 * none had it.
 */
export async function automaticRedirect(
  ctx: Context,
  siteId: string,
  source: string,
): Promise<{ redirect: RedirectRow; target: string } | undefined> {
  const located = locate(await structureFor(ctx, siteId), segmentsOf(source));
  if (!located || located.rest.length === 0) return undefined;
  const { siteSpace, rest } = located;
  const path = rest.join('/');
  const pageId =
    (await pageIdAtPath(ctx, siteSpace.spaceId, path)) ?? (await inLowercase(ctx, siteSpace.spaceId, path));
  if (pageId === undefined) return undefined;
  const destination = { kind: 'site-page' as const, siteSpaceId: siteSpace.id, pageId };
  const [target, base] = await Promise.all([
    urlOf(ctx, siteId, destination),
    urlOf(ctx, siteId, { kind: 'site-space', siteSpaceId: siteSpace.id }),
  ]);
  if (target === undefined || target === `${base}${rest.map(encodeURIComponent).join('/')}`) return undefined;
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

async function inLowercase(ctx: Context, spaceId: string, path: string): Promise<string | undefined> {
  const lower = path.toLowerCase();
  return lower === path ? undefined : pageIdAtPath(ctx, spaceId, lower);
}
