import type { PageContent, StoredNode } from './node.ts';
import type { PathLookup, PathStep } from './paths.ts';
import { fetchNodes, type NodeSource } from './source.ts';

/** A node that is being edited: a working copy of a loaded node, or a new one. */
export interface Draft {
  /** Null for the root. */
  content: PageContent | null;
  parent: Draft | null;
  children: DraftChild[];
  readonly origin: { readonly hash: string; readonly node: StoredNode } | null;
  /** Whether its hash may differ from its origin. Also true for all ancestors of such a draft. */
  isDirty: boolean;
}

export interface PageDraft extends Draft {
  content: PageContent;
}

/** A child: a draft if it is loaded, otherwise its hash in the base. */
export type DraftChild = PageDraft | string;

/** A tree of drafts over a base tree, which is loaded on demand. Does not check the rules of edits. */
export class DraftTree {
  readonly root: Draft;
  readonly #pages = new Map<string, PageDraft>();
  /** Pages that are not in the base tree, or that were removed. */
  readonly #absent = new Set<string>();
  readonly #stored = new Map<string, StoredNode>();
  readonly #source: NodeSource;
  readonly #lookup: PathLookup | undefined;
  #isWhole = false;

  private constructor(root: Draft, source: NodeSource, lookup: PathLookup | undefined) {
    this.root = root;
    this.#source = source;
    this.#lookup = lookup;
    if (root.origin) this.#stored.set(root.origin.hash, root.origin.node);
  }

  /** Null for a tree that has not been stored yet. */
  static async open(rootHash: string | null, source: NodeSource, lookup?: PathLookup): Promise<DraftTree> {
    if (rootHash === null) {
      return new DraftTree({ content: null, parent: null, children: [], origin: null, isDirty: true }, source, lookup);
    }
    const node = (await fetchNodes(source, [rootHash])).get(rootHash);
    if (node?.kind !== 'root') throw new Error(`${rootHash} is not the root of a tree.`);
    const origin = { hash: rootHash, node };
    return new DraftTree(
      { content: null, parent: null, children: [...node.children], origin, isDirty: false },
      source,
      lookup,
    );
  }

  /** The draft of a page that was passed to `find`; undefined if the tree does not have the page. */
  page(pageId: string): PageDraft | undefined {
    return this.#pages.get(pageId);
  }

  isStored(hash: string): boolean {
    return this.#stored.has(hash);
  }

  /** Loads the pages and their ancestors, along the paths of the lookup or, without one, by walking the whole tree. */
  async find(pageIds: readonly string[]): Promise<void> {
    const missing = pageIds.filter((pageId) => !this.#pages.has(pageId) && !this.#absent.has(pageId));
    if (missing.length === 0 || this.#isWhole) return;
    if (this.#lookup === undefined) return this.#loadWhole();
    const found = await this.#lookup(missing);
    for (const pageId of missing) if (!found.has(pageId)) this.#absent.add(pageId);
    const paths = [...found.values()];
    await this.#follow(paths);
    const isLost = (path: PathStep[]) => !this.#pages.has(path.at(-1)?.pageId ?? '');
    if (paths.some(isLost)) await this.#loadWhole();
  }

  /** Loads all children of these drafts in one load. */
  async loadChildren(parents: readonly Draft[]): Promise<void> {
    await this.#load(parents.flatMap((parent) => hashesIn(parent).map((hash) => ({ parent, hash }))));
  }

  /** Loads all descendants of a draft, and returns them by level. */
  async loadBelow(top: Draft): Promise<PageDraft[][]> {
    const levels: PageDraft[][] = [];
    for (let level: Draft[] = [top]; level.length > 0; ) {
      await this.loadChildren(level);
      const below = level.flatMap(loadedChildren);
      if (below.length > 0) levels.push(below);
      level = below;
    }
    return levels;
  }

  insert(content: PageContent, parent: Draft, index: number): PageDraft {
    const draft: PageDraft = { content, parent, children: [], origin: null, isDirty: true };
    this.#pages.set(content.pageId, draft);
    attach(draft, parent, index);
    return draft;
  }

  /** The index counts siblings without the page itself. */
  move(page: PageDraft, parent: Draft, index: number): void {
    detach(page);
    attach(page, parent, index);
  }

  change(page: PageDraft, content: PageContent): void {
    page.content = content;
    touch(page);
  }

  /** Removes the page and its descendants from the tree. The descendants must be loaded. */
  remove(page: PageDraft, below: readonly PageDraft[]): void {
    detach(page);
    for (const { content } of [page, ...below]) {
      this.#pages.delete(content.pageId);
      this.#absent.add(content.pageId);
    }
  }

  async #loadWhole(): Promise<void> {
    await this.loadBelow(this.root);
    this.#isWhole = true;
  }

  /**
   * Follows paths of the base tree. Paths are only hints: each step goes to the node with the hash or to the child at
   * the position, and the result is checked. If it is wrong, all children of the parent are loaded.
   */
  async #follow(paths: readonly PathStep[][]): Promise<void> {
    await this.#prefetch(paths.flat());
    for (let level = 0; paths.some((path) => path.length > level); level++) {
      const steps = paths.flatMap((path) => this.#stepAt(path, level));
      await this.#load(steps.flatMap(guess));
      await this.loadChildren(steps.filter(({ step }) => !this.#pages.has(step.pageId)).map(({ parent }) => parent));
    }
  }

  #stepAt(path: readonly PathStep[], level: number): { parent: Draft; step: PathStep }[] {
    const step = path[level];
    if (step === undefined || this.#pages.has(step.pageId)) return [];
    const above = path[level - 1];
    const parent = above ? this.#pages.get(above.pageId) : this.root;
    return parent ? [{ parent, step }] : [];
  }

  async #prefetch(steps: readonly PathStep[]): Promise<void> {
    const unknown = steps.filter(({ pageId, nodeHash }) => !this.#pages.has(pageId) && !this.#stored.has(nodeHash));
    if (unknown.length === 0) return;
    const nodes = await this.#source([...new Set(unknown.map(({ nodeHash }) => nodeHash))]);
    for (const [hash, node] of nodes) this.#stored.set(hash, node);
  }

  async #load(requests: readonly { parent: Draft; hash: string }[]): Promise<void> {
    const unknown = requests.filter(({ hash }) => !this.#stored.has(hash)).map(({ hash }) => hash);
    for (const [hash, node] of await fetchNodes(this.#source, unknown)) this.#stored.set(hash, node);
    const hashes = new Set(requests.map(({ hash }) => hash));
    for (const parent of new Set(requests.map((each) => each.parent))) {
      parent.children = parent.children.map((slot) => {
        return typeof slot === 'string' && hashes.has(slot) ? this.#adopt(slot, parent) : slot;
      });
    }
  }

  #adopt(hash: string, parent: Draft): PageDraft {
    const node = this.#stored.get(hash);
    if (node === undefined || node.kind === 'root') throw new Error(`${hash} is not the node of a page.`);
    const { children, createdAt, updatedAt, updatedBy, ...content } = node;
    const draft = { content, parent, children: [...children], origin: { hash, node }, isDirty: false };
    this.#pages.set(content.pageId, draft);
    return draft;
  }
}

/** The most likely child for a step: the node with the hash, or the child at the position. */
function guess({ parent, step }: { parent: Draft; step: PathStep }): { parent: Draft; hash: string }[] {
  const open = new Set(hashesIn(parent));
  const atPosition = parent.origin?.node.children[step.position];
  const hash = [step.nodeHash, atPosition].find((candidate) => candidate !== undefined && open.has(candidate));
  return hash === undefined ? [] : [{ parent, hash }];
}

const hashesIn = (parent: Draft): string[] => parent.children.filter((slot) => typeof slot === 'string');

/** The loaded children of a draft, in order. */
export const loadedChildren = (parent: Draft): PageDraft[] =>
  parent.children.filter((slot) => typeof slot !== 'string');

function attach(page: PageDraft, parent: Draft, index: number): void {
  page.parent = parent;
  parent.children.splice(index, 0, page);
  touch(parent);
}

function detach(page: PageDraft): void {
  const { parent } = page;
  if (parent === null) return;
  parent.children.splice(parent.children.indexOf(page), 1);
  touch(parent);
}

function touch(draft: Draft): void {
  for (let each: Draft | null = draft; each && !each.isDirty; each = each.parent) each.isDirty = true;
}
