import type { LaneBounds } from './kinds.ts';

/** Whose work it is. */
export interface Share {
  /** The organization that the work is for, or who asks where it is for none. */
  owner: string;
  /** Who asks: within one organization, callers share alike. */
  caller: string;
  /** A transaction waits for it: among the work of its owner it comes first. */
  isUrgent?: boolean;
}

interface Used {
  running: number;
  waiting: number;
  /** Milliseconds that its work has taken. */
  milliseconds: number;
}

/**
 * Decides what runs next. The turn goes to the owner with the least running, then to the one that has used the least time,
 * to what is urgent in it, then likewise to the caller within it, then to what came first. An owner that comes anew begins with the least time of
 * those that are there: it neither waits for what they have queued nor outruns them for long.
 */
export class FairQueue<Item extends Share> {
  readonly #bounds: LaneBounds;
  readonly #waiting = new Set<Item>();
  readonly #owners = new Map<string, Used>();
  readonly #callers = new Map<string, Used>();
  #running = 0;

  constructor(bounds: LaneBounds) {
    this.#bounds = bounds;
  }

  /**
   * Puts an item in the line. Answers the one that has to leave for it, if any: itself when its owner has too many waiting,
   * else the newest of the owner that has most.
   */
  add(item: Item): Item | undefined {
    this.#waiting.add(item);
    for (const used of this.#accountsOf(item)) used.waiting += 1;
    const { waiting, waitingPerOwner } = this.#bounds;
    if (this.#ownerOf(item).waiting > waitingPerOwner) return this.#leave(item);
    if (this.#waiting.size <= waiting) return undefined;
    const longest = Math.max(...[...this.#owners.values()].map((used) => used.waiting));
    const left = [...this.#waiting].findLast((each) => this.#ownerOf(each).waiting === longest);
    return this.#leave(left ?? item);
  }

  /** The item whose turn it is; it counts as running until `ended`. Undefined when nothing may begin now. */
  next(): Item | undefined {
    if (this.#running >= this.#bounds.atOnce) return undefined;
    let best: { item: Item; rank: number[] } | undefined;
    for (const item of this.#waiting) {
      if (this.#ownerOf(item).running >= this.#bounds.atOncePerOwner) continue;
      const [owner, caller] = this.#accountsOf(item).map(({ running, milliseconds }) => [running, milliseconds]);
      const rank = [...(owner ?? []), item.isUrgent ? 0 : 1, ...(caller ?? [])];
      if (!best || isLess(rank, best.rank)) best = { item, rank };
    }
    if (!best) return undefined;
    this.#waiting.delete(best.item);
    this.#running += 1;
    for (const used of this.#accountsOf(best.item)) {
      used.waiting -= 1;
      used.running += 1;
    }
    return best.item;
  }

  /** What was running has ended after so many milliseconds. */
  ended(item: Item, milliseconds: number): void {
    this.#running -= 1;
    for (const used of this.#accountsOf(item)) {
      used.running -= 1;
      used.milliseconds += milliseconds;
    }
    this.#forget(item);
  }

  /** Takes an item out of the line; nothing happens when it is not in it. */
  remove(item: Item): void {
    if (this.#waiting.has(item)) this.#leave(item);
  }

  /** Everything that waits leaves. */
  clear(): Item[] {
    return [...this.#waiting].map((item) => this.#leave(item));
  }

  #leave(item: Item): Item {
    this.#waiting.delete(item);
    for (const used of this.#accountsOf(item)) used.waiting -= 1;
    this.#forget(item);
    return item;
  }

  #accountsOf(item: Item): [owner: Used, caller: Used] {
    return [this.#ownerOf(item), accountIn(this.#callers, callerKey(item))];
  }

  #ownerOf({ owner }: Share): Used {
    return accountIn(this.#owners, owner);
  }

  #forget(item: Item): void {
    forgetIdle(this.#owners, item.owner);
    forgetIdle(this.#callers, callerKey(item));
  }
}

const callerKey = ({ owner, caller }: Share) => `${owner} ${caller}`;

function accountIn(accounts: Map<string, Used>, key: string): Used {
  const known = accounts.get(key);
  if (known) return known;
  const least = Math.min(...[...accounts.values()].map(({ milliseconds }) => milliseconds));
  const used = { running: 0, waiting: 0, milliseconds: Number.isFinite(least) ? least : 0 };
  accounts.set(key, used);
  return used;
}

function forgetIdle(accounts: Map<string, Used>, key: string): void {
  const used = accounts.get(key);
  if (used?.running === 0 && used.waiting === 0) accounts.delete(key);
}

/** Whether a list of numbers comes before another, by the first that differs. */
function isLess(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}
