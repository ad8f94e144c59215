/** How much stays of a value. */
interface Bounds {
  /** Maximum length of a text. */
  characters: number;
  /** Maximum number of items of a list, and of properties of an object in a version of a conflict. */
  items: number;
  /** Whether all texts are cut, including those that identify something, such as paths and URLs. */
  all: boolean;
  /** Maximum number of characters of the whole. */
  total: number;
}

interface Shortened {
  value: unknown;
  /** The places that were cut, with the part that stays. */
  leftOut: string[];
}

/** Members whose texts identify nothing. */
const TEXTS = new Set(['text', 'diff', 'markdown', 'body', 'summary', 'description', 'message', 'label']);

/** Members with a version of a conflict, in which everything can be cut. */
const VERSIONS = new Set(['base', 'ours', 'theirs']);

/** Maximum number of places that are named, and length of each. */
const MAX_NAMED = 8;
const MAX_PLACE = 80;

/** Maximum length of the name of a property in a version of a conflict. */
const MAX_NAME = 200;

/** Maximum depth of lists and objects. Only versions of conflicts can be nested deeper. */
const MAX_DEPTH = 12;

/**
 * Cuts the texts and lists of a value. Undefined if the rest is too large. Parts that are cut off are not visited, so
 * the time depends on the bounds and not on the value.
 */
export function shortenValue(value: unknown, bounds: Bounds): Shortened | undefined {
  const shortening = new Shortening(bounds);
  const rest = shortening.cut(value, { place: [], isText: false, isVersion: false });
  return shortening.isOver ? undefined : { value: rest, leftOut: shortening.leftOut };
}

/** Where a value is. */
interface At {
  place: readonly (string | number)[];
  isText: boolean;
  isVersion: boolean;
}

class Shortening {
  readonly #bounds: Bounds;
  readonly #named: string[] = [];
  #others = 0;
  #remaining: number;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.#remaining = bounds.total;
  }

  get isOver(): boolean {
    return this.#remaining < 0;
  }

  get leftOut(): string[] {
    return this.#others === 0 ? this.#named : [...this.#named, `${this.#others} other places`];
  }

  /** The value with its parts cut. Ends early once it is too large. */
  cut(value: unknown, at: At): unknown {
    if (typeof value === 'string') return this.#text(value, at);
    this.#remaining -= 1;
    if (typeof value !== 'object' || value === null || this.isOver) return value;
    if (at.place.length > MAX_DEPTH) {
      this.#note(at, `0 of 1 values`);
      return null;
    }
    return Array.isArray(value) ? this.#list(value, at) : this.#object(value as Record<string, unknown>, at); // JSON
  }

  #text(text: string, at: At): string {
    const { characters, all } = this.#bounds;
    const canCut = at.isText || at.isVersion || all;
    const rest = canCut && text.length > characters ? text.slice(0, characters).toWellFormed() : text;
    if (rest !== text) this.#note(at, `${characters} of ${text.length} characters`);
    this.#remaining -= rest.length + 2;
    return rest;
  }

  #list(list: readonly unknown[], at: At): unknown[] {
    const { items } = this.#bounds;
    if (list.length > items) this.#note(at, `${items} of ${list.length} items`);
    const rest: unknown[] = [];
    for (const [index, item] of list.entries()) {
      if (index >= items || this.isOver) break;
      rest.push(this.cut(item, { ...at, place: [...at.place, index] }));
    }
    return rest;
  }

  #object(object: Record<string, unknown>, at: At): Record<string, unknown> {
    const names = Object.keys(object).filter((name) => object[name] !== undefined);
    const most = at.isVersion ? this.#bounds.items : names.length;
    if (names.length > most) this.#note(at, `${most} of ${names.length} properties`);
    const rest: [string, unknown][] = [];
    for (const name of names.slice(0, most)) {
      if (this.isOver) break;
      this.#remaining -= name.length + 3;
      const inside = {
        place: [...at.place, name],
        isText: at.isText || TEXTS.has(name),
        isVersion: at.isVersion || VERSIONS.has(name),
      };
      const shortName = at.isVersion ? name.slice(0, MAX_NAME).toWellFormed() : name;
      rest.push([shortName, name === 'nextCursor' ? object[name] : this.cut(object[name], inside)]);
    }
    return Object.fromEntries(rest);
  }

  #note({ place }: At, part: string): void {
    if (this.#named.length >= MAX_NAMED) this.#others += 1;
    else this.#named.push(`${place.join('.').slice(0, MAX_PLACE).toWellFormed()}: ${part}`);
  }
}
