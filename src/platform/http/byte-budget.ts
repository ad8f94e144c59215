import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Held, HeldBytesMetrics } from '../telemetry/held-bytes-metrics.ts';
import { countedAccount, isKnownCaller } from './caller.ts';

const MEGABYTE = 1024 * 1024;

/** A name under which bytes are counted, and their maximum in this process at a time. */
export interface Share {
  name: string;
  maxBytes: number;
}

/** Bytes reserved for one request. They are released together. */
export interface Hold {
  /**
   * Reserves more bytes. Where a share of several owners is full, the owner with the most bytes has to give way to one who
   * would have fewer. False, without reserving any, if that does not suffice, if the own share is full, and after the end.
   */
  grow(bytes: number): boolean;
  /** Releases all bytes. Can be called more than once. */
  release(): void;
  /** Releases all bytes for good. */
  end(): void;
}

/** A hold that can be ended for others. */
interface Yielding {
  shares: readonly Share[];
  /** Ends the hold, unless it may go on. True if it did. */
  giveWay(): boolean;
}

/** Counts the bytes that requests hold in memory at a time, under several names. */
export class ByteBudget {
  readonly #held = new Map<string, number>();
  readonly #onRefused: () => void;
  /** By owner, the oldest hold first. */
  readonly #yielding = new Map<string, Set<Yielding>>();

  /** `onRefused` is called for each hold that would exceed a share. */
  constructor(onRefused: () => void = () => {}) {
    this.#onRefused = onRefused;
  }

  /** The last share is that of the owner. `giveWay` ends the hold for another owner, or returns false. */
  hold(shares: readonly Share[], giveWay?: () => boolean): Hold {
    let own = 0;
    let isOver = false;
    const add = (bytes: number) => {
      own += bytes;
      for (const { name } of shares) this.#add(name, bytes);
    };
    // Without bytes, its end would make no room.
    const yielding = giveWay && { shares, giveWay: () => own > 0 && giveWay() };
    if (yielding) this.#enter(yielding);
    return {
      grow: (bytes) => {
        if (isOver) return false;
        const fits = this.#makeRoom(shares, bytes);
        if (fits) add(bytes);
        else this.#onRefused();
        return fits;
      },
      release: () => add(-own),
      end: () => {
        isOver = true;
        add(-own);
        if (yielding) this.#leave(yielding);
      },
    };
  }

  /** Whether so many bytes fit in all shares, if need be after others have given way. */
  #makeRoom(shares: readonly Share[], bytes: number): boolean {
    const owner = ownerOf(shares);
    for (;;) {
      const full = shares.find(({ name, maxBytes }) => this.heldBy(name) + bytes > maxBytes);
      if (!full) return true;
      if (full.name === owner || !this.#largestGivesWay(full.name, this.heldBy(owner) + bytes)) return false;
    }
  }

  /** Ends a hold of the owner who has the most bytes in a share, and more than `bytes`. False if none can be ended. */
  #largestGivesWay(share: string, bytes: number): boolean {
    let most = bytes;
    let largest: Set<Yielding> | undefined;
    for (const [owner, holds] of this.#yielding) {
      const held = this.heldBy(owner);
      const [first] = holds;
      if (held <= most || !first?.shares.some(({ name }) => name === share)) continue;
      most = held;
      largest = holds;
    }
    return [...(largest ?? [])].some((hold) => hold.giveWay());
  }

  #enter(hold: Yielding): void {
    const owner = ownerOf(hold.shares);
    const holds = this.#yielding.get(owner);
    if (holds) holds.add(hold);
    else this.#yielding.set(owner, new Set([hold]));
  }

  #leave(hold: Yielding): void {
    const owner = ownerOf(hold.shares);
    const holds = this.#yielding.get(owner);
    holds?.delete(hold);
    if (holds?.size === 0) this.#yielding.delete(owner);
  }

  /** Number of bytes held under a name. */
  heldBy(name: string): number {
    return this.#held.get(name) ?? 0;
  }

  #add(name: string, bytes: number): void {
    const held = this.heldBy(name) + bytes;
    if (held > 0) this.#held.set(name, held);
    else this.#held.delete(name);
  }
}

const ownerOf = (shares: readonly Share[]): string => shares.at(-1)?.name ?? '';

/** A budget whose use is shown in the metrics. */
export function meteredBudget(metrics: HeldBytesMetrics, what: Held): ByteBudget {
  const budget = new ByteBudget(() => metrics.refused(what));
  metrics.watch(what, (share) => budget.heldBy(share));
  return budget;
}

/**
 * Maximum number of bytes at a time: of all requests, of one caller with a token, of all anonymous requests, and of one
 * address.
 */
export interface Limits {
  all: number;
  caller: number;
  anonymous: number;
  address: number;
}

/** Limits for request bodies. A known caller can send several of the largest size, whatever others hold. */
export const BODY_LIMITS: Limits = {
  all: 160 * MEGABYTE,
  caller: 40 * MEGABYTE,
  anonymous: 32 * MEGABYTE,
  address: 4 * MEGABYTE,
};

/** The shares of a request: of its caller, or of its address and of all anonymous requests. */
export function sharesIn(limits: Limits, { caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): Share[] {
  const all = { name: 'all', maxBytes: limits.all };
  const account = countedAccount({ caller, ip });
  if (isKnownCaller(caller)) return [all, { name: account, maxBytes: limits.caller }];
  return [all, { name: 'anonymous', maxBytes: limits.anonymous }, { name: account, maxBytes: limits.address }];
}

/**
 * Bytes held for a request until its response is sent or its client disconnects. What goes on after that holds nothing:
 * nobody would release it.
 */
export function holdFor(
  request: FastifyRequest,
  { raw }: FastifyReply,
  { budget, limits, giveWay }: { budget: ByteBudget; limits: Limits; giveWay?: () => boolean },
): Hold {
  const hold = budget.hold(sharesIn(limits, request), giveWay);
  if (raw.destroyed) hold.end();
  else raw.once('close', hold.end);
  return hold;
}
