import { hashOf, type Json } from '../canonical.ts';
import type { Block, JSONDocument } from '../document/document.ts';
import type { ManifestEntry } from '../tree/manifest.ts';
import type { PageContent } from '../tree/node.ts';
import type { Side, Three } from './three.ts';

export type ConflictKind =
  /** One field of a page or entry was changed differently; `field` names it, `parent` being a page's place. */
  | 'field'
  /** One top-level block of a body was changed differently; `block` is its key. */
  | 'block'
  /** One side deleted what the other edited: a page, an entry or, where `block` is set, a block. */
  | 'deleted-vs-edited'
  /** One side deleted a page under which the other added or moved the pages listed. */
  | 'child-under-deleted'
  /** Moves of both sides would put the pages listed below one another. */
  | 'cycle'
  /** The pages listed would make a parent too full or the tree too deep. */
  | 'limits';

/** What a conflict is about. A page without an id is the top level of the tree. */
export interface Target {
  type: 'page' | 'file' | 'reusable-content' | 'variable';
  id: string | null;
}

/** What one version has in the place of the conflict: null when it has nothing there. */
export type ConflictValue =
  | { value: Json }
  | { block: Block }
  | { page: PlacedContent }
  | { entry: ManifestEntry }
  /** The parents of the pages listed; pages that the version lacks are left out. */
  | { parents: Record<string, string | null> }
  | null;

export type PlacedContent = PageContent & { parentId: string | null };

export interface Conflict extends Three<ConflictValue> {
  /** Follows from everything below: the same versions give the same id, and other ones another. */
  id: string;
  kind: ConflictKind;
  target: Target;
  field: string | null;
  block: string | null;
  /** Ids of the other pages that take part, sorted. */
  pages: string[];
}

/**
 * How a conflict is settled. A side is taken as it is: for a deletion that means to delete or to keep, for places the
 * parents of that side, where pages that it lacks are left out. A block may be replaced by a document, and
 * a field of text by another text.
 */
export type Resolution = { choice: Side } | { document: JSONDocument } | { text: string };

export type NewConflict = Omit<Conflict, 'id' | 'field' | 'block' | 'pages'> &
  Partial<Pick<Conflict, 'field' | 'block' | 'pages'>>;

/** Collects the conflicts of one merge, and answers how they are settled. */
export class Settlement {
  /** Those that no resolution was given for. */
  readonly open: Conflict[] = [];
  /** Ids of conflicts whose resolution is not of a kind that fits them. */
  readonly unfit: string[] = [];
  readonly #resolutions: ReadonlyMap<string, Resolution>;
  readonly #met = new Set<string>();

  constructor(resolutions: ReadonlyMap<string, Resolution>) {
    this.#resolutions = resolutions;
  }

  /** The resolution of a conflict; undefined leaves it open. */
  settle(found: NewConflict): Resolution | undefined {
    const parts = { field: null, block: null, pages: [], ...found };
    const conflict: Conflict = { ...parts, id: hashOf(parts).slice(0, ID_LENGTH) };
    const resolution = this.#resolutions.get(conflict.id);
    this.#met.add(conflict.id);
    if (resolution && fits(conflict, resolution)) return resolution;
    if (resolution) this.unfit.push(conflict.id);
    this.open.push(conflict);
    return undefined;
  }

  /** The same where only a side can be taken. */
  choose(found: NewConflict): Side | undefined {
    const resolution = this.settle(found);
    return resolution && 'choice' in resolution ? resolution.choice : undefined;
  }

  /** Ids of resolutions whose conflicts are not there. */
  get unknown(): string[] {
    return [...this.#resolutions.keys()].filter((id) => !this.#met.has(id));
  }
}

/** 128 bits. */
const ID_LENGTH = 32;

/** Fields that are free text; what others may hold depends on their kind. */
const TEXTS: readonly (string | null)[] = ['title', 'description', 'linkTitle', 'name'];

function fits({ kind, block, field }: Conflict, resolution: Resolution): boolean {
  if ('choice' in resolution) return true;
  if ('document' in resolution) return block !== null;
  return kind === 'field' && TEXTS.includes(field) && resolution.text.trim() !== '';
}
