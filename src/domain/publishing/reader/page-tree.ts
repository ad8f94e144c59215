import { pathInTree } from '../../../lib/tree/paths.ts';
import type { ReadingOrder } from '../../../lib/tree/reading-order.ts';
import { readingOrderOf } from '../../../lib/tree/reading-order.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { expandPages } from '../../content/computed-sources/index.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { loadVisibleTree } from '../../store/trees/index.ts';

/** The pages of a space as visitors see them, indexed. */
export class PageTree {
  readonly revision: RevisionRow;
  readonly pages: readonly LoadedPage[];
  readonly byId: ReadonlyMap<string, LoadedPage>;
  readonly #byPath: ReadonlyMap<string | null, LoadedPage>;
  readonly #below: ReadonlyMap<string | null, LoadedPage[]>;
  #order: ReadingOrder | undefined;

  constructor(revision: RevisionRow, pages: readonly LoadedPage[]) {
    this.revision = revision;
    this.pages = pages;
    this.byId = new Map(pages.map((page) => [page.pageId, page]));
    this.#byPath = new Map(pages.map((page) => [page.path, page]));
    this.#below = Map.groupBy(pages, ({ parentId }) => parentId);
  }

  /** The pages below a page, or at the top level, in order. Hidden pages are in the tree, but not listed. */
  listedBelow(parentId: string | null): LoadedPage[] {
    return (this.#below.get(parentId) ?? [])
      .filter(({ hidden }) => !hidden)
      .toSorted((a, b) => a.position - b.position);
  }

  at(path: string): LoadedPage | undefined {
    return this.#byPath.get(path);
  }

  /** The first document page that is listed, which is shown at the root of the space. */
  get home(): LoadedPage | undefined {
    return this.byId.get(this.order.pageIds[0] ?? '') ?? this.pages.find(({ kind }) => kind === 'document');
  }

  /** A page and its ancestors, from the top level down. */
  pathTo(page: LoadedPage): LoadedPage[] {
    return pathInTree(this.byId, page.pageId);
  }

  /** Listed document pages, each before those below it. */
  get order(): ReadingOrder {
    this.#order ??= readingOrderOf(this.pages);
    return this.#order;
  }

  /** Listed document pages in reading order. */
  get documents(): LoadedPage[] {
    return this.order.pageIds.flatMap((id) => this.byId.get(id) ?? []);
  }

  neighbor({ pageId }: LoadedPage, step: 1 | -1): LoadedPage | undefined {
    const place = this.order.places.get(pageId);
    return place === undefined ? undefined : this.byId.get(this.order.pageIds[place + step] ?? '');
  }
}

/** The tree of the current content of a space that the visitor sees. */
export async function pageTreeOf(ctx: Context, space: Pick<Row<'space'>, 'revisionId'>): Promise<PageTree | undefined> {
  const revision = await loadRevision(ctx, space.revisionId);
  return revision && new PageTree(revision, await expandPages(ctx, revision, await loadVisibleTree(ctx, revision)));
}

/** The title of a page in the navigation. */
export const shortTitle = ({ title, node }: LoadedPage): string => node.fields.linkTitle || title;
