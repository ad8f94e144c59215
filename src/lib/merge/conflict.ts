import { hashOf, type Json } from '../canonical.ts';
import type { Block, JSONDocument } from '../document/document.ts';
import type { ManifestEntry } from '../tree/manifest.ts';
import type { PageContent } from '../tree/node.ts';
import type { Side, ThreeWay } from './three-way.ts';

export type ConflictKind =
  /** Both sides changed the field `field` of a page or entry. The parent of a page is the field `parent`. */
  | 'field'
  /** Both sides changed the top-level block of a body with the key `block`. */
  | 'block'
  /** One side deleted what the other edited: a page, an entry or, if `block` is set, a block. */
  | 'deleted-vs-edited'
  /** One side deleted a page below which the other added or moved `pages`. */
  | 'child-under-deleted'
  /** The moves of both sides together would put `pages` below each other. */
  | 'cycle'
  /** `pages` would exceed the number of children of a parent, or the depth of the tree. */
  | 'limits';

/** The object in conflict. A page without an id is the top level of the tree. */
export interface ConflictTarget {
  type: 'page' | 'file' | 'reusable-content' | 'variable';
  id: string | null;
}

/** One version of the object in conflict. Null if the version does not have it. */
export type ConflictValue =
  | { value: Json }
  | { block: Block }
  | { page: ConflictPage }
  | { entry: ManifestEntry }
  /** Parents of `pages`, without the pages that the version does not have. */
  | { parents: Record<string, string | null> }
  | null;

export type ConflictPage = PageContent & { parentId: string | null };

export interface Conflict extends ThreeWay<ConflictValue> {
  /** Hash of the properties below: the same versions have the same id, other versions another one. */
  id: string;
  kind: ConflictKind;
  target: ConflictTarget;
  field: string | null;
  block: string | null;
  /** Ids of the other pages involved, sorted. */
  pages: string[];
}

/**
 * Resolution of a conflict. `choice` takes one version: for a deletion that means to delete or keep, for positions the
 * parents in that version, leaving out pages that it does not have. `document` replaces a block, `text` a field of
 * text.
 */
export type Resolution = { choice: Side } | { document: JSONDocument } | { text: string };

export type NewConflict = Omit<Conflict, 'id' | 'field' | 'block' | 'pages'> &
  Partial<Pick<Conflict, 'field' | 'block' | 'pages'>>;

/** Collects the conflicts of one merge and applies their resolutions. */
export class ConflictResolver {
  /** Conflicts without a resolution. */
  readonly open: Conflict[] = [];
  /** Ids of conflicts with a resolution of the wrong kind, or one that does not lead to a result. */
  readonly unfit: string[] = [];
  readonly #resolutions: ReadonlyMap<string, Resolution>;
  readonly #met = new Set<string>();
  readonly #openIds = new Set<string>();

  constructor(resolutions: ReadonlyMap<string, Resolution>) {
    this.#resolutions = resolutions;
  }

  /** The resolution of a conflict. Undefined if it stays open. */
  resolve(newConflict: NewConflict): Resolution | undefined {
    const conflict = conflictOf(newConflict);
    const resolution = this.#resolutions.get(conflict.id);
    if (resolution && fits(conflict, resolution)) {
      this.#met.add(conflict.id);
      return resolution;
    }
    this.#leaveOpen(conflict);
    return undefined;
  }

  /** Leaves a conflict open because its resolution, if it has one, does not lead to a result. */
  refuse(newConflict: NewConflict): void {
    this.#leaveOpen(conflictOf(newConflict));
  }

  #leaveOpen(conflict: Conflict): void {
    this.#met.add(conflict.id);
    // Positions of pages are resolved in rounds, which can meet a conflict again.
    if (this.#openIds.has(conflict.id)) return;
    this.#openIds.add(conflict.id);
    if (this.#resolutions.has(conflict.id)) this.unfit.push(conflict.id);
    this.open.push(conflict);
  }

  /** Like `settle`, for conflicts that are resolved by choosing a version. */
  choose(newConflict: NewConflict): Side | undefined {
    const resolution = this.resolve(newConflict);
    return resolution && 'choice' in resolution ? resolution.choice : undefined;
  }

  /** Ids of resolutions without a conflict. */
  get unknown(): string[] {
    return [...this.#resolutions.keys()].filter((id) => !this.#met.has(id));
  }
}

const conflictOf = (newConflict: NewConflict): Conflict => {
  const parts = { field: null, block: null, pages: [], ...newConflict };
  return { ...parts, id: hashOf(parts).slice(0, ID_LENGTH) };
};

/** 128 bits. */
const ID_LENGTH = 32;

/** Fields that a text can replace. */
const TEXTS: readonly (string | null)[] = ['title', 'description', 'linkTitle', 'name'];

function fits({ kind, block, field }: Conflict, resolution: Resolution): boolean {
  if ('choice' in resolution) return true;
  if ('document' in resolution) return block !== null;
  return kind === 'field' && TEXTS.includes(field) && resolution.text.trim() !== '';
}
