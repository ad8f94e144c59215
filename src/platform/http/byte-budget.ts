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
  /** Reserves more bytes. False, without reserving any, if this would exceed one of the shares, and after the end. */
  grow(bytes: number): boolean;
  /** Releases all bytes. Can be called more than once. */
  release(): void;
  /** Releases all bytes for good. */
  end(): void;
}

/** Counts the bytes that requests hold in memory at a time, under several names. */
export class ByteBudget {
  readonly #held = new Map<string, number>();
  readonly #onRefused: () => void;

  /** `onRefused` is called for each hold that would exceed a share. */
  constructor(onRefused: () => void = () => {}) {
    this.#onRefused = onRefused;
  }

  hold(shares: readonly Share[]): Hold {
    let own = 0;
    let isOver = false;
    const add = (bytes: number) => {
      own += bytes;
      for (const { name } of shares) this.#add(name, bytes);
    };
    return {
      grow: (bytes) => {
        if (isOver) return false;
        const fits = shares.every(({ name, maxBytes }) => this.heldBy(name) + bytes <= maxBytes);
        if (fits) add(bytes);
        else this.#onRefused();
        return fits;
      },
      release: () => add(-own),
      end: () => {
        isOver = true;
        add(-own);
      },
    };
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
  { budget, limits }: { budget: ByteBudget; limits: Limits },
): Hold {
  const hold = budget.hold(sharesIn(limits, request));
  if (raw.destroyed) hold.end();
  else raw.once('close', hold.end);
  return hold;
}
