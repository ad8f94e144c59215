import { longestIncreasing } from '../tree/order.ts';
import type { Three } from './three.ts';

/**
 * The order of siblings, given by names that are unique in each list. Main's order stands; what only the change request
 * inserted or moved follows the sibling that it follows there, behind what main inserted at the same place. Answers
 * exactly the names in `kept`: those that main lacks and the change request left alone come where the base has them, and
 * those that no list has come last.
 */
export function mergeOrder({ base, ours, theirs }: Three<readonly string[]>, kept: ReadonlySet<string>): string[] {
  const [inOurs, inTheirs] = [new Set(ours), new Set(theirs)];
  const [placedByUs, placedByThem] = [placedIn(ours, base), placedIn(theirs, base)];
  const isOurs = (name: string) => placedByUs.has(name) && !(inTheirs.has(name) && placedByThem.has(name));
  const isNewInTheirs = (name: string) => placedByThem.has(name) && !inOurs.has(name);

  const chain = new Chain(theirs.filter((name) => kept.has(name) && !isOurs(name)));
  chain.weave(base, (name) => kept.has(name) && !isOurs(name), isNewInTheirs);
  chain.weave(ours, (name) => kept.has(name) && isOurs(name), isNewInTheirs);
  return chain.with([...kept]);
}

/** What is not where the base has it: inserted, or moved past others. */
function placedIn(side: readonly string[], base: readonly string[]): Set<string> {
  const places = new Map(base.map((name, place) => [name, place]));
  const stayed = longestIncreasing(side.flatMap((name) => places.get(name) ?? []));
  return new Set(side.filter((name) => !stayed.has(places.get(name) ?? -1)));
}

/** A list that takes insertions anywhere in constant time. Its head is null. */
class Chain {
  readonly #next = new Map<string | null, string>();
  readonly #names = new Set<string>();

  constructor(names: readonly string[]) {
    names.forEach((name, place) => {
      this.#insert(name, names[place - 1] ?? null);
    });
  }

  /** Puts in the names chosen, each behind the one before it in their list and what is to be passed there. */
  weave(names: readonly string[], isChosen: (name: string) => boolean, isPassed: (name: string) => boolean): void {
    let last: string | null = null;
    for (const name of names) {
      if (!this.#names.has(name) && isChosen(name)) this.#insert(name, this.#passing(last, isPassed));
      if (this.#names.has(name)) last = name;
    }
  }

  /** The list, and behind it the names that it lacks. */
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
