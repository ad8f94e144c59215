import { longestIncreasing } from '../tree/longest-increasing.ts';
import type { ThreeWay } from './three-way.ts';

/**
 * Merges the order of siblings. Names are unique in each list. The result has exactly these `names`, in the order of
 * `theirs`. Names that only `ours` inserted or moved follow their predecessor in `ours`, after insertions of `theirs`
 * at the same position. Names that `theirs` deleted and `ours` did not move stay where `base` has them. All others come
 * last.
 */
export function mergeOrder({ base, ours, theirs }: ThreeWay<readonly string[]>, names: ReadonlySet<string>): string[] {
  const [inOurs, inTheirs] = [new Set(ours), new Set(theirs)];
  const [placedByUs, placedByThem] = [placedIn(ours, base), placedIn(theirs, base)];
  const isOurs = (name: string) => placedByUs.has(name) && !(inTheirs.has(name) && placedByThem.has(name));
  const isNewInTheirs = (name: string) => placedByThem.has(name) && !inOurs.has(name);

  const chain = new Chain(theirs.filter((name) => names.has(name) && !isOurs(name)));
  chain.weave(base, (name) => names.has(name) && !isOurs(name), isNewInTheirs);
  chain.weave(ours, (name) => names.has(name) && isOurs(name), isNewInTheirs);
  return chain.with([...names]);
}

/** Names that were inserted or moved relative to the base. */
function placedIn(side: readonly string[], base: readonly string[]): Set<string> {
  const places = new Map(base.map((name, place) => [name, place]));
  const stayed = longestIncreasing(side.flatMap((name) => places.get(name) ?? []));
  return new Set(side.filter((name) => !stayed.has(places.get(name) ?? -1)));
}

/** A linked list with insertion in constant time. Null is its head. */
class Chain {
  readonly #next = new Map<string | null, string>();
  readonly #names = new Set<string>();

  constructor(names: readonly string[]) {
    names.forEach((name, place) => {
      this.#insert(name, names[place - 1] ?? null);
    });
  }

  /** Inserts the chosen names, each after its predecessor in `names` and any passed names that follow there. */
  weave(names: readonly string[], isChosen: (name: string) => boolean, isPassed: (name: string) => boolean): void {
    let last: string | null = null;
    for (const name of names) {
      if (!this.#names.has(name) && isChosen(name)) this.#insert(name, this.#passing(last, isPassed));
      if (this.#names.has(name)) last = name;
    }
  }

  /** The list, followed by the names that it does not contain. */
  with(names: readonly string[]): string[] {
    const list: string[] = [];
    for (let name = this.#next.get(null); name !== undefined; name = this.#next.get(name)) list.push(name);
    return [...list, ...names.filter((name) => !this.#names.has(name))];
  }

  #passing(from: string | null, isPassed: (name: string) => boolean): string | null {
    let at = from;
    for (let next = this.#next.get(at); next !== undefined && isPassed(next); next = this.#next.get(at)) at = next;
    return at;
  }

  #insert(name: string, after: string | null): void {
    const next = this.#next.get(after);
    if (next !== undefined) this.#next.set(name, next);
    this.#next.set(after, name);
    this.#names.add(name);
  }
}
