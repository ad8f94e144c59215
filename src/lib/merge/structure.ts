import type { Yielder } from '../tick.ts';
import type { PlacedPage } from '../tree/diff.ts';
import type { NodeSource } from '../tree/source.ts';
import { type Children, mergeChildren } from './children.ts';
import type { ConflictResolver, ConflictValue, NewConflict } from './conflict.ts';
import { findOverfull, type Overfull } from './find-overfull.ts';
import { layOut, type MergedPages, type MergedParents, mergeParents, type Placing } from './merge-parents.ts';
import type { PageInVersions, TreeVersions } from './page-versions.ts';
import { findSurvivors, type Survivors } from './survivors.ts';
import type { Side } from './three-way.ts';
import { findWholePages } from './whole-pages.ts';

/** The pages of the merged tree and their positions. */
export interface MergedStructure extends MergedParents {
  children: Children;
  alive: Survivors['alive'];
  /** The pages whose content is taken from one version as a whole. */
  wholes: ReadonlyMap<string, PlacedPage>;
}

const SIDES = ['ours', 'theirs', 'base'] as const;

/** Merges the set of pages and their positions. The result is a tree within the limits even with open conflicts. */
export async function mergeStructure(
  versions: TreeVersions,
  source: NodeSource,
  resolver: ConflictResolver,
  pause: Yielder,
): Promise<MergedStructure> {
  const survivors = findSurvivors(versions.pages, resolver);
  const wholes = findWholePages(versions.pages, survivors, resolver);
  const parents = mergeParents(versions.pages, survivors, resolver);
  const places = new PlaceMerge(versions.pages, { parents, survivors, wholes }, resolver);
  for (;;) {
    const layout = await places.withoutCycles(pause);
    const children = await mergeChildren(versions, layout, pause);
    const full = await findOverfull(versions, { ...layout, children }, source);
    if (!full) return { ...layout, children, alive: survivors.alive, wholes };
    places.resolveLimits(full);
  }
}

/** Positions of pages and their resolutions. */
class PlaceMerge {
  readonly #pages: ReadonlyMap<string, PageInVersions>;
  readonly #merged: MergedPages;
  readonly #resolver: ConflictResolver;
  readonly #placings = new Map<string, Placing>();

  constructor(pages: ReadonlyMap<string, PageInVersions>, merged: MergedPages, resolver: ConflictResolver) {
    this.#pages = pages;
    this.#merged = merged;
    this.#resolver = resolver;
  }

  async withoutCycles(pause: Yielder): Promise<MergedParents> {
    for (;;) {
      await pause();
      const layout = this.#layOut();
      const cycle = findCycle(layout.parents);
      if (cycle.length === 0) return layout;
      const pages = this.#withNewBelow(this.#widen(cycle)).sort();
      this.#place(pages, this.#choose({ kind: 'cycle', target: { type: 'page', id: pages[0] ?? null } }, pages));
    }
  }

  resolveLimits({ pageId, pages }: Overfull): void {
    const sorted = this.#withNewBelow(pages).sort();
    const conflict = { kind: 'limits' as const, target: { type: 'page' as const, id: pageId } };
    if (pageId !== null || sorted.some((each) => !this.#placings.has(each))) {
      this.#place(sorted, this.#choose(conflict, sorted));
      return;
    }
    // Pages whose parent is deleted are at the top level again, wherever they were placed.
    this.#resolver.refuse(this.#conflictOf(conflict, sorted));
    for (const each of sorted) this.#placings.set(each, 'out');
  }

  #layOut(more: ReadonlyMap<string, Side> = new Map()): MergedParents {
    return layOut(this.#pages, this.#merged, new Map([...this.#placings, ...more]));
  }

  /** The pages of a cycle, and of all cycles that would result from taking the positions of one version for them. */
  #widen(cycle: readonly string[]): string[] {
    const pages = new Set(cycle);
    for (let size = 0; size !== pages.size; ) {
      size = pages.size;
      for (const side of SIDES) {
        const placings = new Map([...pages].map((pageId): [string, Side] => [pageId, side]));
        for (const pageId of findCycle(this.#layOut(placings).parents, pages)) pages.add(pageId);
      }
    }
    return [...pages];
  }

  /** The pages and the new pages below them, which are kept or left out together. */
  #withNewBelow(pages: readonly string[]): string[] {
    const below = Map.groupBy(this.#merged.parents.keys(), (pageId) => this.#merged.parents.get(pageId) ?? null);
    const all = new Set(pages);
    for (const pageId of all) {
      for (const child of below.get(pageId) ?? []) if (!this.#pages.get(child)?.base) all.add(child);
    }
    return [...all];
  }

  #choose(conflict: Pick<NewConflict, 'kind' | 'target'>, pages: string[]): Side {
    return this.#resolver.choose(this.#conflictOf(conflict, pages)) ?? 'theirs';
  }

  #conflictOf(conflict: Pick<NewConflict, 'kind' | 'target'>, pages: string[]): NewConflict {
    const [base, ours, theirs] = (['base', 'ours', 'theirs'] as const).map((side) => this.#parentsIn(side, pages));
    return { ...conflict, pages, base: base ?? null, ours: ours ?? null, theirs: theirs ?? null };
  }

  /** Moves pages that were placed before and still conflict to the top level, so that the loop terminates. */
  #place(pages: readonly string[], side: Side): void {
    const isNew = pages.some((pageId) => this.#placings.get(pageId) === undefined);
    for (const pageId of pages) this.#placings.set(pageId, isNew ? side : 'top');
  }

  #parentsIn(side: Side, pageIds: readonly string[]): ConflictValue {
    const places = pageIds.flatMap((pageId): [string, string | null][] => {
      const page = this.#pages.get(pageId)?.[side];
      return page ? [[pageId, page.parentId]] : [];
    });
    return { parents: Object.fromEntries(places) };
  }
}

/**
 * The pages of one cycle that contains one of the pages or is above it, or none. Takes a map from pages to their
 * parents. Pages that are not keys have no parent.
 */
function findCycle(parents: ReadonlyMap<string, string | null>, pages: Iterable<string> = parents.keys()): string[] {
  const done = new Set<string>();
  for (const start of pages) {
    const path: string[] = [];
    const onPath = new Set<string>();
    let at: string | null = start;
    while (at !== null && !done.has(at) && !onPath.has(at)) {
      path.push(at);
      onPath.add(at);
      at = parents.get(at) ?? null;
    }
    if (at !== null && onPath.has(at)) return path.slice(path.indexOf(at));
    for (const pageId of path) done.add(pageId);
  }
  return [];
}
