import type { ContentRef } from '../../../lib/document/content-ref.ts';
import { pathsOfLink } from '../../../lib/document/relative-link.ts';
import { parseServiceUrl, type ServiceUrl, type UrlTargets } from '../../../lib/document/service-url.ts';
import { specOfPath } from '../../../lib/document/stable-url.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { compareWithHead } from '../../store/trees/index.ts';
import { filesByBlob } from './files-by-blob.ts';
import { findAddressedPages } from './find-addressed-pages.ts';
import { findElsewhere, keyOfPage } from './find-elsewhere.ts';
import type { LinkBase } from './link-base.ts';

/**
 * Finds the targets of URLs in a text: pages and files of the same content, and other content that the caller can view.
 * URLs without a target are left out. The number of statements does not depend on the number of URLs.
 */
export async function findTargets(ctx: Context, addresses: readonly string[], base: LinkBase): Promise<UrlTargets> {
  const { publicUrl } = ctx.services.config;
  const serviceUrls = addresses.flatMap((url) => {
    const address = parseServiceUrl(url, publicUrl);
    return address ? [{ url, address }] : [];
  });
  if (serviceUrls.length === 0) return {};
  const all = serviceUrls.map(({ address }) => address);
  const difference = await compareWithHead(ctx, base.revision);
  const [pageOf, fileOf, elsewhere, specs] = await Promise.all([
    pathReader(ctx, all, base, difference),
    filesByBlob(ctx, all, base, difference),
    findElsewhere(ctx, all, base.revision.organizationId),
    findSpecs(all, base),
  ]);
  const targetOf = (address: ServiceUrl): ContentRef | undefined => {
    if (address.kind === 'path') return specs.get(address.path) ?? pageRef(pageOf(address.path), address.anchor);
    if (address.kind === 'file') return fileOf(address);
    if (address.kind === 'collection') return elsewhere.has(address.collection) ? { ...address } : undefined;
    const { space, anchor } = address;
    if (!elsewhere.has(space)) return undefined;
    if (address.kind === 'page' && space === base.revision.spaceId) return pageRef(pageOf.byId(address.page), anchor);
    if (address.kind === 'page')
      return elsewhere.has(keyOfPage(address)) ? pageRef(address.page, anchor, space) : undefined;
    return anchor === undefined ? { kind: 'space', space } : { kind: 'anchor', anchor, space };
  };
  return Object.fromEntries(
    serviceUrls.flatMap(({ url, address }) => {
      const ref = targetOf(address);
      return ref ? [[url, ref]] : [];
    }),
  );
}

function pageRef(page: string | undefined, anchor?: string, space?: string): ContentRef | undefined {
  if (page === undefined) return undefined;
  const named = { page, ...(space !== undefined && { space }) };
  return anchor === undefined ? { kind: 'page', ...named } : { kind: 'anchor', anchor, ...named };
}

/** Finds the pages that the paths and ids among the URLs lead to. */
async function pathReader(
  ctx: Context,
  addresses: readonly ServiceUrl[],
  { revision, page, newPages }: LinkBase,
  difference: Awaited<ReturnType<typeof compareWithHead>>,
) {
  const paths = addresses.flatMap((address) => (address.kind === 'path' ? address.path : []));
  const ids = addresses.flatMap((address) =>
    address.kind === 'page' && address.space === revision.spaceId ? address.page : [],
  );
  const from = await startOf(ctx, revision, page, difference);
  const readings = new Map(paths.map((path) => [path, pathsOfLink(from, path)]));
  const pages = await findAddressedPages(ctx, revision.spaceId, { readings: [...readings.values()], ids }, difference);
  const byPath = (path: string) =>
    readings
      .get(path)
      ?.map((reading) => pages.byPath.get(reading) ?? newPages?.get(reading))
      .find((id) => id !== undefined);
  return Object.assign(byPath, { byId: (id: string) => (pages.ids.has(id) ? id : undefined) });
}

async function startOf(
  ctx: Context,
  { spaceId }: RevisionRow,
  page: LinkBase['page'],
  difference: Awaited<ReturnType<typeof compareWithHead>>,
): Promise<string> {
  if (page === undefined) return '';
  if ('path' in page) return page.path;
  const pages = await findAddressedPages(ctx, spaceId, { readings: [], ids: [page.id] }, difference);
  return pages.ids.get(page.id) ?? '';
}

/** Paths of pages of a revision by id; null for links. Pages that are not in the revision are left out. */
export const pathsOfPages = async (ctx: Context, revision: RevisionRow, ids: readonly string[]) =>
  (await findAddressedPages(ctx, revision.spaceId, { readings: [], ids }, await compareWithHead(ctx, revision))).ids;

/**
 * The OpenAPI specifications that paths among URLs stand for (`/openapi/<slug>`), by path: those that the text referred
 * to before. Elsewhere, such a path is one of another site.
 */
async function findSpecs(
  addresses: readonly ServiceUrl[],
  { specsBefore }: LinkBase,
): Promise<Map<string, ContentRef>> {
  const named = addresses.flatMap((address) => {
    const spec = address.kind === 'path' ? specOfPath(address.path) : undefined;
    return address.kind === 'path' && spec !== undefined ? [{ path: address.path, spec }] : [];
  });
  if (named.length === 0 || !specsBefore) return new Map();
  const before = await specsBefore();
  return new Map(named.flatMap(({ path, spec }) => (before.has(spec) ? [[path, { kind: 'openapi', spec }]] : [])));
}
