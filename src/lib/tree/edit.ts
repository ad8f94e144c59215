import { slugify, uniqueSlug } from '../slug.ts';
import { type CommitAuthor, sealDrafts, type TreeCommit } from './commit.ts';
import { type Draft, DraftTree, loadedChildren, type PageDraft } from './draft.ts';
import { TreeError } from './error.ts';
import { type FieldsPatch, type NewFields, withFields } from './fields.ts';
import { type PageContent, type PageKind, slugOf } from './node.ts';
import type { PathLookup } from './paths.ts';
import {
  checkDepth,
  checkModule,
  checkOutside,
  draftLevel,
  indexAt,
  type PagePosition,
  pageIn,
  parentFor,
  siblingIn,
} from './position.ts';
import type { NodeSource } from './source.ts';

export type InsertedPage = {
  [Kind in PageKind]: {
    kind: Kind;
    pageId: string;
    fields: NewFields<Kind>;
    documentHash?: string;
    sourceHash?: string;
    /** Null for the top level. */
    parentId: string | null;
    position?: PagePosition;
  };
}[PageKind];

/** A page and its place in the tree. */
export type PlacedPageContent = PageContent & { parentId: string | null; position: number };

/**
 * Opens a tree for editing. A null hash is an empty tree that is not stored yet. With a lookup, only the paths to
 * edited pages are loaded, and the siblings of pages that get a slug. Without one, the whole tree is loaded on first
 * use.
 */
export async function openTree(rootHash: string | null, source: NodeSource, lookup?: PathLookup): Promise<TreeEditor> {
  return new TreeEditor(await DraftTree.open(rootHash, source, lookup));
}

/**
 * Edits a tree by copying what changes. Edits are sequential: await each one before the next. An edit that throws a
 * TreeError changes nothing.
 */
export class TreeEditor {
  readonly #tree: DraftTree;

  constructor(tree: DraftTree) {
    this.#tree = tree;
  }

  /** The current state of several pages, with few loads. Pages that are not in the tree are left out. */
  async locate(pageIds: readonly string[]): Promise<Map<string, PlacedPageContent>> {
    await this.#tree.find(pageIds);
    const pages = pageIds.flatMap((pageId) => this.#tree.page(pageId) ?? []);
    return new Map(pages.map((page) => [page.content.pageId, placed(page)]));
  }

  /** All pages below a page, parents before their children. */
  async below(pageId: string): Promise<PlacedPageContent[]> {
    await this.#tree.find([pageId]);
    return (await this.#tree.loadBelow(pageIn(this.#tree, pageId))).flat().map(placed);
  }

  /** Inserts a page, by default as the last sibling. A slug that is taken gets a suffix. */
  async insertPage({
    kind,
    pageId,
    fields,
    documentHash,
    sourceHash,
    parentId,
    position,
  }: InsertedPage): Promise<PlacedPageContent> {
    const tree = this.#tree;
    await tree.find([pageId, ...(parentId === null ? [] : [parentId]), ...siblingIn(position)]);
    if (tree.page(pageId)) {
      throw new TreeError('DUPLICATE_PAGE', `The page "${pageId}" is already in the tree. Move it instead.`);
    }
    const parent = parentFor(tree, parentId, kind);
    checkModule(parent);
    checkDepth(parent, 1);
    const index = indexAt(tree, parent, position);
    const content = await this.#withFreeSlug(
      contentOf({ kind, pageId, documentHash, ...(sourceHash && { sourceHash }) }, fields),
      parent,
    );
    return placed(tree.insert(content, parent, index));
  }

  /**
   * Changes fields of a page, and its body and the Markdown it was written as if hashes are given; null removes them.
   * The slug does not change when only the title changes.
   */
  async updatePage(
    pageId: string,
    patch: FieldsPatch,
    documentHash?: string | null,
    sourceHash?: string | null,
  ): Promise<PlacedPageContent> {
    await this.#tree.find([pageId]);
    const page = pageIn(this.#tree, pageId);
    const { fields, ...rest } = page.content;
    const body = withHashes(rest, documentHash, sourceHash);
    const entries = Object.entries(patch).filter(([, value]) => value !== undefined);
    const content = contentOf(body, { ...fields, ...Object.fromEntries(entries) });
    const isSlugKept = slugOf(content) === slugOf(page.content);
    const checked = isSlugKept ? content : await this.#withFreeSlug(content, page.parent ?? this.#tree.root, page);
    this.#tree.change(page, checked);
    return placed(page);
  }

  /** Moves a page with its descendants, by default to the last position. Its slug may get a suffix. */
  async movePage(pageId: string, parentId: string | null, position?: PagePosition): Promise<PlacedPageContent> {
    const tree = this.#tree;
    await tree.find([pageId, ...(parentId === null ? [] : [parentId]), ...siblingIn(position)]);
    const page = pageIn(tree, pageId);
    const parent = parentFor(tree, parentId, page.content.kind);
    checkOutside(page, parent);
    const index = indexAt(tree, parent, position, page);
    if (parent !== page.parent) await this.#enter(page, parent);
    if (parent !== page.parent || parent.children.indexOf(page) !== index) tree.move(page, parent, index);
    return placed(page);
  }

  /** Deletes a page with its descendants, and returns their ids, starting with the page's own. */
  async deletePage(pageId: string): Promise<string[]> {
    await this.#tree.find([pageId]);
    const page = pageIn(this.#tree, pageId);
    const below = (await this.#tree.loadBelow(page)).flat();
    this.#tree.remove(page, below);
    return [page, ...below].map(({ content }) => content.pageId);
  }

  /** The current tree. The editor can be used further, and commits to the same base again. */
  commit(author: CommitAuthor): TreeCommit {
    return sealDrafts(this.#tree, author);
  }

  /** Prepares the page for another parent, or throws. */
  async #enter(page: PageDraft, parent: Draft): Promise<void> {
    checkModule(parent);
    // A subtree that does not move further down cannot become too deep, so it need not be loaded.
    if (draftLevel(parent) >= draftLevel(page)) checkDepth(parent, 1 + (await this.#tree.loadBelow(page)).length);
    const content = await this.#withFreeSlug(page.content, parent);
    if (content !== page.content) this.#tree.change(page, content);
  }

  async #withFreeSlug(content: PageContent, parent: Draft, self?: PageDraft): Promise<PageContent> {
    const slug = slugOf(content);
    if (slug === null) return content;
    await this.#tree.loadChildren([parent]);
    const siblings = loadedChildren(parent).filter((sibling) => sibling !== self);
    const free = uniqueSlug(slug, new Set(siblings.flatMap((sibling) => slugOf(sibling.content) ?? [])));
    return free === slug ? content : withFields(content, { ...content.fields, slug: free });
  }
}

function withHashes<T extends { documentHash?: string; sourceHash?: string }>(
  { sourceHash: before, ...page }: T,
  documentHash: string | null | undefined,
  sourceHash: string | null | undefined,
) {
  const source = documentHash === null ? null : sourceHash === undefined ? before : sourceHash;
  const body = documentHash === undefined ? page : { ...page, documentHash: documentHash ?? undefined };
  return source == null ? body : { ...body, sourceHash: source };
}

/** The page with these fields and, if its kind has one, a slug: the given one, or one derived from the title. */
function contentOf(page: Omit<PageContent, 'fields'>, fields: FieldsPatch): PageContent {
  if (page.documentHash !== undefined && page.kind !== 'document') {
    throw new TreeError('BAD_FIELD', `A ${page.kind} page has no document.`);
  }
  if (page.kind === 'link') return withFields(page, fields);
  return withFields(page, { ...fields, slug: fields.slug ? segment(fields.slug) : slugify(fields.title ?? '') });
}

/** An explicit slug, unchanged, if it is valid as a segment of a URL path. */
function segment(slug: string): string {
  if (/^\.{1,2}$|[/\p{Cc}]/u.test(slug)) {
    throw new TreeError(
      'BAD_SLUG',
      `The slug "${slug}" is not a valid path segment. Remove slashes and control characters.`,
    );
  }
  return slug.normalize('NFC');
}

function placed(page: PageDraft): PlacedPageContent {
  const parentId = page.parent?.content?.pageId ?? null;
  return { ...page.content, parentId, position: page.parent?.children.indexOf(page) ?? 0 };
}
