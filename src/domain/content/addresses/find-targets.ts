import type { ContentRef } from '../../../lib/document/content-ref.ts';
import { type OwnAddress, ownAddress, type Targets } from '../../../lib/document/own-address.ts';
import { pathsOfLink } from '../../../lib/document/relative-link.ts';
import type { Context } from '../../../platform/context.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { besideHead } from '../../store/trees/index.ts';
import { filesByBlob } from './files-by-blob.ts';
import { findElsewhere, keyOfPage } from './find-elsewhere.ts';
import { findPages } from './find-pages.ts';

/** Where a text stands, which decides what its addresses name. */
export interface TextPlace {
  /** The content whose pages and files are meant. */
  revision: RevisionRow;
  /** The page that relative addresses start at: its id, or its path. Without one they start at the top of the space. */
  page?: { id: string } | { path: string };
  /** Ids of pages that the same call creates, by the paths that they will have. */
  newPages?: ReadonlyMap<string, string>;
  /** Files that the text named before: of several with the same bytes, one of these is meant. */
  filesBefore?(): Promise<ReadonlySet<string>>;
}

/**
 * What addresses in a text name: pages and files of the same content, and of other content what the caller may see. Those
 * that name nothing are left out. It takes a fixed number of statements for any number of addresses.
 */
export async function findTargets(ctx: Context, addresses: readonly string[], place: TextPlace): Promise<Targets> {
  const { publicUrl } = ctx.services.config;
  const own = addresses.flatMap((url) => {
    const address = ownAddress(url, publicUrl);
    return address ? [{ url, address }] : [];
  });
  if (own.length === 0) return {};
  const all = own.map(({ address }) => address);
  const beside = await besideHead(ctx, place.revision);
  const [pageOf, fileOf, elsewhere] = await Promise.all([
    pathReader(ctx, all, place, beside),
    filesByBlob(ctx, all, place, beside),
    findElsewhere(ctx, all, place.revision.organizationId),
  ]);
  const targetOf = (address: OwnAddress): ContentRef | undefined => {
    if (address.kind === 'path') return pageRef(pageOf(address.path), address.anchor);
    if (address.kind === 'file') return fileOf(address);
    if (address.kind === 'collection') return elsewhere.has(address.collection) ? { ...address } : undefined;
    const { space, anchor } = address;
    if (!elsewhere.has(space)) return undefined;
    if (address.kind === 'page' && space === place.revision.spaceId) return pageRef(pageOf.byId(address.page), anchor);
    if (address.kind === 'page')
      return elsewhere.has(keyOfPage(address)) ? pageRef(address.page, anchor, space) : undefined;
    return anchor === undefined ? { kind: 'space', space } : { kind: 'anchor', anchor, space };
  };
  return Object.fromEntries(
    own.flatMap(({ url, address }) => {
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

/** Finds the pages that paths and ids among the addresses name. */
async function pathReader(
  ctx: Context,
  addresses: readonly OwnAddress[],
  { revision, page, newPages }: TextPlace,
  beside: Awaited<ReturnType<typeof besideHead>>,
) {
  const paths = addresses.flatMap((address) => (address.kind === 'path' ? address.path : []));
  const ids = addresses.flatMap((address) =>
    address.kind === 'page' && address.space === revision.spaceId ? address.page : [],
  );
  const from = await startOf(ctx, revision, page, beside);
  const readings = new Map(paths.map((path) => [path, pathsOfLink(from, path)]));
  const found = await findPages(ctx, revision.spaceId, { readings: [...readings.values()], ids }, beside);
  const byPath = (path: string) =>
    readings
      .get(path)
      ?.map((reading) => found.byPath.get(reading) ?? newPages?.get(reading))
      .find((id) => id !== undefined);
  return Object.assign(byPath, { byId: (id: string) => (found.ids.has(id) ? id : undefined) });
}

async function startOf(
  ctx: Context,
  { spaceId }: RevisionRow,
  page: TextPlace['page'],
  beside: Awaited<ReturnType<typeof besideHead>>,
): Promise<string> {
  if (page === undefined) return '';
  if ('path' in page) return page.path;
  const found = await findPages(ctx, spaceId, { readings: [], ids: [page.id] }, beside);
  return found.ids.get(page.id) ?? '';
}

/** The paths of pages of a revision, by id; null for links. Those that it has not are left out. */
export const pathsOfPages = async (ctx: Context, revision: RevisionRow, ids: readonly string[]) =>
  (await findPages(ctx, revision.spaceId, { readings: [], ids }, await besideHead(ctx, revision))).ids;
