import type { ContentRef } from '../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../lib/document/document.ts';
import { referencesOf } from '../../lib/document/references.ts';
import { relativeLink } from '../../lib/document/relative-link.ts';
import type { Context } from '../../platform/context.ts';
import { downloadUrl, filesIn } from '../files/index.ts';
import { findPage, type RevisionRow } from '../revisions/index.ts';

/**
 * How a page's body names what it refers to when it is read as a file: pages of its space by relative paths, files of it
 * by their addresses. Undefined when it refers to neither. What is not there, and everything else, keeps its stable form.
 */
export async function linksFrom(
  ctx: Context,
  revision: RevisionRow,
  path: string,
  body: JSONDocument,
): Promise<((ref: ContentRef) => string | undefined) | undefined> {
  const refs = referencesOf(body).map(({ ref }) => ref);
  const pageIds = new Set(refs.flatMap((ref) => pageOf(ref) ?? []));
  const fileIds = new Set(refs.flatMap((ref) => (ref.kind === 'file' && ref.space === undefined ? ref.file : [])));
  if (pageIds.size + fileIds.size === 0) return undefined;
  const [pages, files] = await Promise.all([
    Promise.all([...pageIds].map((pageId) => findPage(ctx, revision, { pageId }))),
    filesIn(ctx, revision, [...fileIds]),
  ]);
  const paths = new Map(pages.flatMap((page) => (page?.path == null ? [] : [[page.pageId, page.path]])));
  return (ref) => {
    if (ref.kind === 'file' && ref.space === undefined) {
      const file = files.get(ref.file);
      return file && downloadUrl(ctx, file.organizationId, file.blob, file.name);
    }
    const to = paths.get(pageOf(ref) ?? '');
    return to === undefined ? undefined : relativeLink(path, to, ref.kind === 'anchor' ? ref.anchor : undefined);
  };
}

/** The page of the same space that a reference leads to. */
function pageOf(ref: ContentRef): string | undefined {
  if (ref.kind !== 'page' && ref.kind !== 'anchor') return undefined;
  return ref.space === undefined ? ref.page : undefined;
}
