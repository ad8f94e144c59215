/** Capacity of a queue. */
export interface QueueBounds {
  /** Maximum number of running items. */
  atOnce: number;
  /** Maximum number of running items per owner, so that others can run too. */
  atOncePerOwner: number;
  /** Maximum number of waiting items. Beyond it, the owner with the most waiting items gets errors. */
  waiting: number;
  waitingPerOwner: number;
}

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
  readonly #bounds: QueueBounds;
  readonly #waiting = new Set<Item>();
  readonly #owners = new Map<string, Used>();
  readonly #callers = new Map<string, Used>();
  #running = 0;

  constructor(bounds: QueueBounds) {
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
    let next: Item | undefined;
    for (const item of this.#waiting) {
      if (this.#ownerOf(item).running >= this.#bounds.atOncePerOwner) continue;
      if (!next || this.#isBefore(item, next)) next = item;
    }
    if (!next) return undefined;
    this.#waiting.delete(next);
    this.#running += 1;
    for (const used of this.#accountsOf(next)) {
      used.waiting -= 1;
      used.running += 1;
    }
    return next;
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

  /** Whether the item waits. */
  has(item: Item): boolean {
    return this.#waiting.has(item);
  }

  /** Number of waiting items. */
  get waiting(): number {
    return this.#waiting.size;
  }

  #isBefore(one: Item, other: Item): boolean {
    const [owner, caller] = this.#accountsOf(one);
    const [otherOwner, otherCaller] = this.#accountsOf(other);
    const urgency = Number(other.isUrgent ?? false) - Number(one.isUrgent ?? false);
    return (compareUse(owner, otherOwner) || urgency || compareUse(caller, otherCaller)) < 0;
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

/** Negative if the first account has used less. */
const compareUse = (one: Used, other: Used) => one.running - other.running || one.milliseconds - other.milliseconds;
