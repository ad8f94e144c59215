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

/**
 * Which of the owners with the fewest running items comes first: by the time that they have used, or by how long ago
 * they were last served.
 */
export type QueueOrder = 'least time' | 'least recent';

/** The account that work is scheduled for. */
export interface Share {
  /** Id of the organization, or of the caller if there is no organization. */
  owner: string;
  /** Id of the caller. Callers share the capacity of their organization equally. */
  caller: string;
  /** A transaction waits for the work, so that it comes first within its owner. */
  isUrgent?: boolean;
}

/** What an account has used since it came. */
interface Use {
  running: number;
  waiting: number;
  /** Total duration of the work so far. */
  milliseconds: number;
  /** Its latest item, as a number in the order in which all items began. 0 before the first. */
  lastServed: number;
}

/** The accounts of an item. */
interface Uses {
  owner: Use;
  caller: Use;
}

/** Accounts without items that are remembered while others wait. */
const MAX_REMEMBERED = 10_000;

/**
 * Decides which item runs next: that of the owner with the fewest running items, then of the owner that has used the
 * least time, or was last served the longest ago (`QueueOrder`). Within the owner, urgent items come first, then the
 * caller by the same rules, then the oldest item. An owner that comes, or comes back, starts with at least the least
 * time among those present, so that it neither waits for their whole queue nor overtakes them for long. As long as any
 * item waits, owners are remembered: one that sends an item at a time is not new each time.
 */
export class FairQueue<Item extends Share> {
  readonly #bounds: QueueBounds;
  readonly #order: QueueOrder;
  readonly #waiting = new Map<Item, Uses>();
  readonly #running = new Map<Item, Uses>();
  readonly #owners = new Map<string, Use>();
  readonly #callers = new Map<string, Use>();
  #served = 0;

  constructor(bounds: QueueBounds, order: QueueOrder = 'least time') {
    this.#bounds = bounds;
    this.#order = order;
  }

  /** Number of waiting items. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether the item waits. */
  has(item: Item): boolean {
    return this.#waiting.has(item);
  }

  /**
   * Adds an item. Returns the item that must be dropped for it, if any: the item itself if its owner has too many
   * waiting, else the newest one of the owner with the most waiting items.
   */
  add(item: Item): Item | undefined {
    const uses = { owner: this.#useOf(this.#owners, item.owner), caller: this.#useOf(this.#callers, callerKey(item)) };
    this.#waiting.set(item, uses);
    for (const use of [uses.owner, uses.caller]) use.waiting += 1;
    const { waiting, waitingPerOwner } = this.#bounds;
    if (uses.owner.waiting > waitingPerOwner) return this.#leave(item);
    if (this.#waiting.size <= waiting) return undefined;
    const longest = Math.max(...[...this.#owners.values()].map((use) => use.waiting));
    const [evicted = item] = [...this.#waiting].findLast(([, { owner }]) => owner.waiting === longest) ?? [];
    return this.#leave(evicted);
  }

  /** The next item to run, which counts as running until `ended`. Undefined if none can start now. */
  next(): Item | undefined {
    if (this.#running.size >= this.#bounds.atOnce) return undefined;
    let next: [Item, Uses] | undefined;
    for (const candidate of this.#waiting) {
      if (candidate[1].owner.running >= this.#bounds.atOncePerOwner) continue;
      if (!next || this.#isBefore(candidate, next)) next = candidate;
    }
    if (!next) return undefined;
    const [item, uses] = next;
    this.#waiting.delete(item);
    this.#running.set(item, uses);
    this.#served += 1;
    for (const use of [uses.owner, uses.caller]) {
      use.waiting -= 1;
      use.running += 1;
      use.lastServed = this.#served;
    }
    return item;
  }

  /** Reports that a running item has ended after a duration in milliseconds. */
  ended(item: Item, milliseconds: number): void {
    const uses = this.#running.get(item);
    if (!uses) return;
    this.#running.delete(item);
    for (const use of [uses.owner, uses.caller]) {
      use.running -= 1;
      use.milliseconds += milliseconds;
    }
    this.#forgetIdle();
  }

  /** Removes a waiting item, if present. */
  remove(item: Item): void {
    this.#leave(item);
  }

  #isBefore([one, uses]: [Item, Uses], [other, otherUses]: [Item, Uses]): boolean {
    const urgency = Number(other.isUrgent ?? false) - Number(one.isUrgent ?? false);
    const byOwner = this.#compare(uses.owner, otherUses.owner);
    return (byOwner || urgency || this.#compare(uses.caller, otherUses.caller)) < 0;
  }

  #compare(one: Use, other: Use): number {
    const used =
      this.#order === 'least time' ? one.milliseconds - other.milliseconds : one.lastServed - other.lastServed;
    return one.running - other.running || used;
  }

  #leave(item: Item): Item {
    const uses = this.#waiting.get(item);
    if (!uses) return item;
    this.#waiting.delete(item);
    for (const use of [uses.owner, uses.caller]) use.waiting -= 1;
    this.#forgetIdle();
    return item;
  }

  #useOf(uses: Map<string, Use>, key: string): Use {
    const use = uses.get(key) ?? { running: 0, waiting: 0, milliseconds: 0, lastServed: 0 };
    if (isPresent(use)) return use;
    if (this.#order === 'least time') use.milliseconds = Math.max(use.milliseconds, leastTime(uses));
    uses.set(key, use);
    return use;
  }

  #forgetIdle(): void {
    if (this.#waiting.size > 0 && this.#owners.size <= MAX_REMEMBERED + this.#waiting.size) return;
    for (const uses of [this.#owners, this.#callers])
      for (const [key, use] of uses) if (!isPresent(use)) uses.delete(key);
  }
}

const callerKey = ({ owner, caller }: Share) => `${owner} ${caller}`;

const isPresent = ({ running, waiting }: Use) => running > 0 || waiting > 0;

/** The least time that an account with items has used. 0 if there is none. */
function leastTime(uses: ReadonlyMap<string, Use>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const use of uses.values()) if (isPresent(use)) least = Math.min(least, use.milliseconds);
  return Number.isFinite(least) ? least : 0;
}
