import { emojiOfCode, tidyEmojiCode } from '../../../lib/document/emoji.ts';
import type { PdfPage } from '../../../lib/pdf/source.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';

/** A page that a PDF contains. */
export interface Chosen {
  page: LoadedPage;
  entry: Omit<PdfPage, 'body'>;
  isDeleted: boolean;
}

/**
 * Selects pages in reading order: all pages, a page with those below it, or a single page. Hidden pages and all pages
 * below them are left out, unless one of them is requested. With an earlier version, deleted pages that were
 * not hidden follow at the end.
 */
export function choosePages(
  tree: readonly LoadedPage[],
  before: readonly LoadedPage[] | undefined,
  { pageId, only }: { pageId?: string | undefined; only: boolean },
): Chosen[] {
  const old = before && new Map(before.map((page) => [page.pageId, page]));
  const childrenOf = shownChildren(tree);
  const chosen: Chosen[] = [];
  const add = (page: LoadedPage, depth: number, parentId: string | undefined) => {
    const change = old && changeOf(old.get(page.pageId), page);
    chosen.push({
      page,
      entry: { ...entryOf(page, depth), ...(parentId && { parentId }), ...(change && { change }) },
      isDeleted: false,
    });
    if (!only) for (const child of childrenOf(page.pageId)) add(child, depth + 1, page.pageId);
  };
  const first = pageId === undefined ? undefined : tree.find((page) => page.pageId === pageId);
  for (const page of first ? [first] : childrenOf(null)) add(page, 0, undefined);
  if (first || !before) return chosen;
  const present = new Set(tree.map((page) => page.pageId));
  const formerChildren = shownChildren(before);
  const addDeleted = (page: LoadedPage) => {
    if (!present.has(page.pageId))
      chosen.push({ page, entry: { ...entryOf(page, 0), change: 'deleted' }, isDeleted: true });
    formerChildren(page.pageId).forEach(addDeleted);
  };
  formerChildren(null).forEach(addDeleted);
  return chosen;
}

/** The pages below a page, or at the top level, that are not hidden, in order. */
function shownChildren(tree: readonly LoadedPage[]): (id: string | null) => LoadedPage[] {
  const children = Map.groupBy(tree, (page) => page.parentId);
  return (id) =>
    (children.get(id) ?? [])
      .filter(({ hidden, kind }) => !hidden && kind !== 'computed')
      .toSorted((a, b) => a.position - b.position);
}

function changeOf(was: LoadedPage | undefined, page: LoadedPage): PdfPage['change'] | undefined {
  if (!was) return 'added';
  const fields = ({ node }: LoadedPage) => JSON.stringify([node.fields, node.kind]);
  if (was.documentHash !== page.documentHash || fields(was) !== fields(page)) return 'edited';
  return was.parentId === page.parentId ? undefined : 'moved';
}

function entryOf({ pageId, title, node }: LoadedPage, depth: number): Omit<PdfPage, 'body'> {
  return {
    pageId,
    title,
    depth,
    ...signOf(node.fields),
    ...(node.kind === 'document' && node.fields.description && { description: node.fields.description }),
    // The target of a link was validated when it was written.
    ...(node.kind === 'link' && { target: node.fields.target as unknown as NonNullable<PdfPage['target']> }),
  };
}

/** The emoji of a page as its characters, or its icon. */
export function signOf({ emoji, icon }: { emoji?: string; icon?: string }): Pick<PdfPage, 'emoji' | 'icon'> {
  const characters = emoji === undefined ? undefined : (emojiOfCode(tidyEmojiCode(emoji)) ?? '');
  return characters ? { emoji: characters } : icon ? { icon } : {};
}
