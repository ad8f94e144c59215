import { slugify, uniqueSlug } from '../../../src/lib/slug.ts';
import type { Branch } from '../../../src/lib/tree/assemble.ts';
import { nodeHash, type PageContent, type PageKind } from '../../../src/lib/tree/node.ts';
import type { LoadedPage } from '../../../src/lib/tree/rows.ts';

/** The plainest tree there is: nested arrays, edited in place. What the editor does is checked against it. */
export interface ModelPage {
  kind: PageKind;
  pageId: string;
  fields: { title: string; slug?: string; description?: string; hidden?: boolean; target?: object; computed?: object };
  documentHash?: string;
  pages: ModelPage[];
}

export interface Model {
  pages: ModelPage[];
}

export type ModelPosition = { beforeId: string } | { afterId: string } | { at: number } | undefined;

export type Edit =
  | {
      edit: 'insert';
      kind: PageKind;
      pageId: string;
      title: string;
      slug?: string;
      parentId: string | null;
      position: ModelPosition;
    }
  | {
      edit: 'update';
      pageId: string;
      title?: string;
      slug?: string | null;
      hidden?: boolean;
      documentHash?: string | null;
    }
  | { edit: 'move'; pageId: string; parentId: string | null; position: ModelPosition }
  | { edit: 'delete'; pageId: string };

/** Applies an edit, or returns the code of its API error and changes nothing. */
export function applyToModel(model: Model, edit: Edit): string | null {
  if (edit.edit === 'insert') return insert(model, edit);
  const page = allPages(model).find(({ pageId }) => pageId === edit.pageId);
  if (!page) return 'UNKNOWN_PAGE';
  if (edit.edit === 'update') return update(model, page, edit);
  if (edit.edit === 'move') return move(model, page, edit);
  const siblings = siblingsOf(model, page);
  siblings.splice(siblings.indexOf(page), 1);
  return null;
}

export const allPages = ({ pages }: Model): ModelPage[] => pages.flatMap((page) => [page, ...allPages(page)]);

/** The hash of the model's tree, made bottom-up from nothing else. */
export function modelHash({ pages }: Model): string {
  const hashOfPage = ({ pages: below, ...page }: ModelPage): string => {
    // The model's fields are looser than the kinds', and the edits that made them are not.
    return nodeHash({ ...(page as PageContent), children: below.map(hashOfPage) });
  };
  return nodeHash({ kind: 'root', children: pages.map(hashOfPage) });
}

/** A loaded tree in the form of the model. */
export function toModel(branches: Branch<LoadedPage>[]): Model {
  return {
    pages: branches.map(({ row: { node }, pages }) => ({
      kind: node.kind,
      pageId: node.pageId,
      fields: { ...node.fields },
      ...(node.documentHash === undefined ? {} : { documentHash: node.documentHash }),
      ...toModel(pages),
    })),
  };
}

/** The paths that the model's pages have, by page id. */
export function modelPaths({ pages }: Model, above = ''): [string, string | null][] {
  return pages.flatMap((page): [string, string | null][] => {
    const { slug } = page.fields;
    return [[page.pageId, slug ? above + slug : null], ...modelPaths(page, `${above}${slug}/`)];
  });
}

function insert(
  model: Model,
  { kind, pageId, title, slug, parentId, position }: Edit & { edit: 'insert' },
): string | null {
  if (allPages(model).some((page) => page.pageId === pageId)) return 'DUPLICATE_PAGE';
  const page: ModelPage = { kind, pageId, fields: { title }, pages: [] };
  if (kind === 'link') page.fields.target = { kind: 'url', url: title };
  if (kind === 'computed') page.fields.computed = { type: 'builtin:openapi', props: {} };
  if (kind !== 'link') page.fields.slug = slug || slugify(title);
  return place(model, page, parentId, position);
}

function update(model: Model, page: ModelPage, edit: Edit & { edit: 'update' }): string | null {
  if (edit.documentHash && page.kind !== 'document') return 'BAD_FIELD';
  if (edit.slug !== undefined && page.kind === 'link') return 'BAD_FIELD';
  if (edit.title !== undefined) page.fields.title = edit.title;
  if (edit.hidden === true) page.fields.hidden = true;
  if (edit.hidden === false) delete page.fields.hidden;
  if (edit.documentHash) page.documentHash = edit.documentHash;
  if (edit.documentHash === null) delete page.documentHash;
  if (edit.slug === undefined) return null;
  const slug = edit.slug || slugify(page.fields.title);
  page.fields.slug = uniqueSlug(slug, slugsIn(siblingsOf(model, page).filter((sibling) => sibling !== page)));
  return null;
}

function move(model: Model, page: ModelPage, { parentId, position }: Edit & { edit: 'move' }): string | null {
  return place(model, page, parentId, position, siblingsOf(model, page));
}

function place(
  model: Model,
  page: ModelPage,
  parentId: string | null,
  position: ModelPosition,
  from?: ModelPage[],
): string | null {
  const parent = parentId === null ? model : allPages(model).find(({ pageId }) => pageId === parentId);
  if (!parent) return 'UNKNOWN_PAGE';
  if (parentId !== null && page.kind === 'group') return 'BAD_PARENT';
  if ('kind' in parent && (parent.kind === 'link' || parent.kind === 'computed')) return 'BAD_PARENT';
  if (parent === page || allPages(page).some((below) => below === parent)) return 'CYCLE';
  const siblings = parent.pages.filter((sibling) => sibling !== page);
  const index = indexIn(siblings, position);
  if (index === null) return 'BAD_POSITION';
  if (page.fields.slug) page.fields.slug = uniqueSlug(page.fields.slug, slugsIn(siblings));
  if (from) from.splice(from.indexOf(page), 1);
  parent.pages.splice(index, 0, page);
  return null;
}

function indexIn(siblings: ModelPage[], position: ModelPosition): number | null {
  if (!position) return siblings.length;
  if ('at' in position) return Math.min(position.at, siblings.length);
  const id = 'beforeId' in position ? position.beforeId : position.afterId;
  const index = siblings.findIndex(({ pageId }) => pageId === id);
  if (index < 0) return null;
  return 'beforeId' in position ? index : index + 1;
}

const slugsIn = (pages: ModelPage[]) => new Set(pages.flatMap(({ fields }) => fields.slug ?? []));

function siblingsOf(model: Model, page: ModelPage): ModelPage[] {
  if (model.pages.includes(page)) return model.pages;
  return allPages(model).find(({ pages }) => pages.includes(page))?.pages ?? [];
}
