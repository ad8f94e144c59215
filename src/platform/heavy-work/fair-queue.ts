import type { LaneBounds } from './kinds.ts';

/** The account that work is scheduled for. */
export interface Share {
  /** Id of the organization, or of the caller if there is no organization. */
  owner: string;
  /** Id of the caller. Callers share the capacity of their organization equally. */
  caller: string;
  /** A transaction waits for the work, so that it comes first within its owner. */
  isUrgent?: boolean;
}

interface Used {
  running: number;
  waiting: number;
  /** Total duration of the work so far. */
  milliseconds: number;
}

/**
 * Decides which item runs next: that of the owner with the fewest running items, then of the owner that has used the
 * least time. Within the owner, urgent items come first, then the caller by the same rules, then the oldest item. A new owner
 * starts with the least time among those present, so that it neither waits for their whole queue nor overtakes them for
 * long.
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
   * Adds an item. Returns the item that must be dropped for it, if any: the item itself if its owner has too many
   * waiting, else the newest one of the owner with the most waiting items.
   */
  add(item: Item): Item | undefined {
    this.#waiting.add(item);
    for (const used of this.#accountsOf(item)) used.waiting += 1;
    const { waiting, waitingPerOwner } = this.#bounds;
    if (this.#ownerOf(item).waiting > waitingPerOwner) return this.#leave(item);
    if (this.#waiting.size <= waiting) return undefined;
    const longest = Math.max(...[...this.#owners.values()].map((used) => used.waiting));
    const evicted = [...this.#waiting].findLast((candidate) => this.#ownerOf(candidate).waiting === longest);
    return this.#leave(evicted ?? item);
  }

  /** The next item to run, which counts as running until `ended`. Undefined if none can start now. */
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

  /** Reports that an item has ended after a duration in milliseconds. */
  ended(item: Item, milliseconds: number): void {
    this.#running -= 1;
    for (const used of this.#accountsOf(item)) {
      used.running -= 1;
      used.milliseconds += milliseconds;
    }
    this.#forget(item);
  }

  /** Removes a waiting item, if present. */
  remove(item: Item): void {
    if (this.#waiting.has(item)) this.#leave(item);
  }

  /** Removes and returns all waiting items. */
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
  const existing = accounts.get(key);
  if (existing) return existing;
  const least = Math.min(...[...accounts.values()].map(({ milliseconds }) => milliseconds));
  const used = { running: 0, waiting: 0, milliseconds: Number.isFinite(least) ? least : 0 };
  accounts.set(key, used);
  return used;
}

function forgetIdle(accounts: Map<string, Used>, key: string): void {
  const used = accounts.get(key);
  if (used?.running === 0 && used.waiting === 0) accounts.delete(key);
}

/** Whether a list of numbers is lexicographically less than another of the same length. */
function isLess(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}
