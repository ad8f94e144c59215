import type { FastifyRequest } from 'fastify';
import type { Held, HeldBytesMetrics } from '../telemetry/held-bytes-metrics.ts';
import { isKnownCaller } from './caller.ts';

const MEGABYTE = 1024 * 1024;

/** A name that bytes are counted under, and how many it may hold at a time in this process. */
export interface Share {
  name: string;
  maxBytes: number;
}

/** Bytes held for one request; given back together. */
export interface Hold {
  /** Takes more bytes. False when one of the shares has no room for them; then nothing is taken. */
  grow(bytes: number): boolean;
  /** Gives everything back. May be called more than once. */
  release(): void;
}

/** Counts the bytes that requests hold in memory at the same time, under several names at once. */
export class ByteBudget {
  readonly #held = new Map<string, number>();
  readonly #onRefused: () => void;

  /** `onRefused` is called for each hold that found no room. */
  constructor(onRefused: () => void = () => {}) {
    this.#onRefused = onRefused;
  }

  hold(shares: readonly Share[]): Hold {
    let own = 0;
    const add = (bytes: number) => {
      own += bytes;
      for (const { name } of shares) this.#add(name, bytes);
    };
    return {
      grow: (bytes) => {
        const hasRoom = shares.every(({ name, maxBytes }) => this.heldBy(name) + bytes <= maxBytes);
        if (hasRoom) add(bytes);
        else this.#onRefused();
        return hasRoom;
      },
      release: () => add(-own),
    };
  }

  /** Bytes held under a name. */
  heldBy(name: string): number {
    return this.#held.get(name) ?? 0;
  }

  #add(name: string, bytes: number): void {
    const held = this.heldBy(name) + bytes;
    if (held > 0) this.#held.set(name, held);
    else this.#held.delete(name);
  }
}

/** A budget whose use is seen in the metrics. */
export function meteredBudget(metrics: HeldBytesMetrics, what: Held): ByteBudget {
  const budget = new ByteBudget(() => metrics.refused(what));
  metrics.watch(what, (share) => budget.heldBy(share));
  return budget;
}

/** How many bytes may be held at a time: by all, by one caller with a token, by all others together and by one address. */
export interface Room {
  all: number;
  caller: number;
  anonymous: number;
  address: number;
}

/** What requests may hold of their bodies. A known caller can send several of the largest size, whatever others hold. */
export const BODY_ROOM: Room = {
  all: 160 * MEGABYTE,
  caller: 40 * MEGABYTE,
  anonymous: 32 * MEGABYTE,
  address: 4 * MEGABYTE,
};

/** The shares of a request: of its caller, or of its address and all other anonymous ones. */
export function sharesIn(room: Room, { caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): Share[] {
  const all = { name: 'all', maxBytes: room.all };
  const account = caller?.account ?? ip;
  if (isKnownCaller(caller)) return [all, { name: account, maxBytes: room.caller }];
  return [all, { name: 'anonymous', maxBytes: room.anonymous }, { name: account, maxBytes: room.address }];
}
