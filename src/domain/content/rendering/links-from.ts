import type { ContentRef, RefOf } from '../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { referencesOf } from '../../../lib/document/references.ts';
import { relativeLink } from '../../../lib/document/relative-link.ts';
import { specOfPath, stablePath, stableUrl, verbatimUrl } from '../../../lib/document/stable-url.ts';
import type { Context } from '../../../platform/context/context.ts';
import { filesIn } from '../../store/manifests/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { findReadPages } from '../computed-sources/index.ts';
import { downloadUrl } from '../files/index.ts';

/** Link targets by the stable URL of the reference. */
export type Links = Readonly<Record<string, string>>;

/**
 * Links for the Markdown of a page: relative paths for pages of the same space, download URLs for its files. References
 * to anything else, and to targets that do not exist, keep their stable URLs.
 */
export async function linksFrom(ctx: Context, revision: RevisionRow, path: string, body: JSONDocument): Promise<Links> {
  const refs = referencesOf(body).map(({ ref }) => ref);
  const pageIds = new Set(refs.flatMap((ref) => pageOf(ref) ?? []));
  const fileIds = new Set(refs.flatMap((ref) => (isFile(ref) ? ref.file : [])));
  const [pages, files] = await Promise.all([
    findReadPages(ctx, revision, [...pageIds]),
    fileIds.size === 0 ? new Map<string, never>() : filesIn(ctx, revision, [...fileIds]),
  ]);
  const addressOf = (ref: ContentRef): string | undefined => {
    const file = isFile(ref) ? files.get(ref.file) : undefined;
    if (file) return downloadUrl(ctx, file.organizationId, file.blob, file.name);
    const to = pages.get(pageOf(ref) ?? '')?.page.path;
    return to == null ? undefined : relativeLink(path, to, ref.kind === 'anchor' ? ref.anchor : undefined);
  };
  const entries = refs.flatMap((ref) => {
    const address = addressOf(ref);
    return address === undefined ? [] : [[stableUrl(ref), address] as const];
  });
  return Object.fromEntries([...entries, ...notSpecs(refs)]);
}

/** URLs that would be read as a specification, since the text refers to it too. */
function notSpecs(refs: readonly ContentRef[]): [string, string][] {
  const specs = new Set(refs.flatMap((ref) => (ref.kind === 'openapi' ? ref.spec : [])));
  if (specs.size === 0) return [];
  return refs.flatMap((ref): [string, string][] => {
    const spec = ref.kind === 'url' ? specOfPath(ref.url) : undefined;
    return ref.kind === 'url' && spec !== undefined && specs.has(spec) ? [[ref.url, verbatimUrl(ref.url)]] : [];
  });
}

/** Stable links for the Markdown of any page, as paths. */
export function stablePaths(body: JSONDocument): Links {
  const refs = referencesOf(body).map(({ ref }) => ref);
  const paths = refs.flatMap((ref) => {
    const [url, path] = [stableUrl(ref), stablePath(ref)];
    return path === url ? [] : [[url, path] as const];
  });
  return Object.fromEntries([...paths, ...notSpecs(refs)]);
}

const isFile = (ref: ContentRef): ref is RefOf<'file'> => ref.kind === 'file' && ref.space === undefined;

/** The page of the same space that a reference leads to. */
function pageOf(ref: ContentRef): string | undefined {
  if (ref.kind !== 'page' && ref.kind !== 'anchor') return undefined;
  return ref.space === undefined ? ref.page : undefined;
}
