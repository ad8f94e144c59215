import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { prefixOf, resourceNumber } from '../../../platform/ids/ids.ts';
import { query } from '../../../platform/operation/operation.ts';
import {
  type ChangeRequestRow,
  loadChangeRequest,
  loadChangeRequestByNumber,
} from '../../content/change-requests/index.ts';
import { currentPage, type PageView, pageAtPath } from '../../content/pages/index.ts';
import { loadCollection } from '../../places/collections/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { admitVisitor } from '../audiences/index.ts';
import { loadSite } from '../sites/index.ts';
import { locateSiteSpace, pathSegments, structureFor } from '../structure/index.ts';
import { publishedAddress } from './get-published-content.ts';
import { resolveSiteUrl, type SiteAddressMatch } from './resolve-site-url.ts';

/** Target of a URL: a collection, or a space with a page or a change request. */
export interface ContentAtUrl {
  collection: NonNullable<Awaited<ReturnType<typeof loadCollection>>> | null;
  space: Row<'space'> | null;
  changeRequest: ChangeRequestRow | null;
  page: PageView | null;
}

const NOTHING: ContentAtUrl = { collection: null, space: null, changeRequest: null, page: null };

export const getContentByUrl = query({
  name: 'getContentByUrl',
  description:
    'Finds the content at a URL: one of `urls.app`, `urls.location` or `urls.published`. NOT_FOUND if there is none that you can see.',
  input: z.object({ url: publishedAddress.describe('Absolute URL of content, up to 2,048 characters.') }),
  async run(ctx, { url }): Promise<ContentAtUrl> {
    const address = new URL(url);
    const appContent =
      address.origin === new URL(ctx.services.config.publicUrl).origin ? await byIds(ctx, address) : undefined;
    const content = appContent ?? (await published(ctx, address));
    if (!content) throw notFound('content at', url);
    return content;
  },
});

/** By the ids in a URL of this service. */
async function byIds(ctx: Context, { pathname }: URL): Promise<ContentAtUrl | undefined> {
  const segments = pathSegments(pathname);
  if (segments[0] !== 'app' && segments[0] !== 'v1') return undefined;
  const idOf = (prefix: string) => segments.find((segment) => prefixOf(segment) === prefix);
  const [spaceId, collectionId] = [idOf('space'), idOf('collection')];
  if (spaceId === undefined) {
    const collection = collectionId === undefined ? undefined : await loadCollection(ctx, collectionId);
    return collection && { ...NOTHING, collection };
  }
  const space = await loadSpace(ctx, spaceId);
  if (!space) return undefined;
  const pageId = idOf('page');
  // `urls.app` has the number of a change request, and `urls.location` its id.
  const name = segments[segments.indexOf('change-requests') + 1] ?? '';
  const isNamed = segments.includes('change-requests') && name !== '';
  const [page, changeRequest] = await Promise.all([
    pageId === undefined ? null : currentPage(ctx, spaceId, pageId),
    isNamed ? changeRequestNamed(ctx, spaceId, name) : undefined,
  ]);
  if (pageId !== undefined && !page) return undefined;
  if (isNamed && changeRequest?.spaceId !== spaceId) return undefined;
  return { ...NOTHING, space, page, changeRequest: changeRequest ?? null };
}

function changeRequestNamed(ctx: Context, spaceId: string, name: string) {
  const number = resourceNumber(name);
  return number === undefined ? loadChangeRequest(ctx, name) : loadChangeRequestByNumber(ctx, spaceId, number);
}

/** By the path on a site that the caller can see. */
async function published(ctx: Context, url: URL): Promise<ContentAtUrl | undefined> {
  const place = await resolveSiteUrl(ctx, url);
  if (!place || !(await loadSite(ctx, place.siteId))) return undefined;
  const rest = (await beginsWithKey(ctx, place)) ? place.rest.slice(1) : place.rest;
  const located = locateSiteSpace(
    await structureFor(ctx, place.siteId),
    rest.map(({ decoded }) => decoded),
  );
  const space = located && (await loadSpace(ctx, located.siteSpace.spaceId));
  if (!space) return undefined;
  if (located.rest.length === 0) return { ...NOTHING, space };
  const page = await pageAtPath(ctx, space, located.rest.join('/'));
  return page ? { ...NOTHING, space, page } : undefined;
}

/**
 * Whether the path of a URL begins with the key of a share link, which readers of the site have in their URLs and
 * members have not.
 */
async function beginsWithKey(
  ctx: Context,
  { siteId, visibility, isPreview, rest }: SiteAddressMatch,
): Promise<boolean> {
  const [first] = rest;
  if (visibility !== 'share-link' || isPreview || !first) return false;
  return 'visit' in (await admitVisitor(ctx, siteId, { shareKey: first.decoded }));
}
