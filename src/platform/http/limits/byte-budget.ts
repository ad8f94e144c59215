import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BufferedData, HeldBytesMetrics } from '../../telemetry/held-bytes-metrics.ts';
import { countedAccount, isKnownCaller } from '../caller.ts';

/** Maximum number of bytes that an owner, or all requests together, may reserve at a time in this process. */
export interface Quota {
  name: string;
  maxBytes: number;
}

/** Bytes reserved for one request, in all of its quotas. */
export interface Reservation {
  /**
   * Reserves more bytes. When a quota of several owners is full, reservations of the owner with the most bytes are
   * evicted, as long as that owner has more than this one would have. Returns false, and reserves nothing, when the
   * bytes do not fit.
   */
  grow(bytes: number): boolean;
  /** Releases all bytes. Can be called more than once. */
  release(): void;
  /** Releases all bytes for good. */
  end(): void;
}

/** A reservation that can be ended in favour of another owner. */
interface Evictable {
  quotas: readonly Quota[];
  /** Ends the reservation and returns true, unless it must stay. */
  evict(): boolean;
}

/** Counts the bytes that requests hold in memory, by quota. */
export class ByteBudget {
  readonly #reserved = new Map<string, number>();
  readonly #onRefused: () => void;
  /** By owner, the oldest reservation first. */
  readonly #evictable = new Map<string, Set<Evictable>>();

  /** `onRefused` is called for each reservation that does not fit. */
  constructor(onRefused: () => void = () => {}) {
    this.#onRefused = onRefused;
  }

  /** Starts a reservation of no bytes. The last quota is the owner's. */
  reserve(quotas: readonly Quota[], evict?: () => boolean): Reservation {
    let reserved = 0;
    let isOver = false;
    const add = (bytes: number) => {
      reserved += bytes;
      for (const { name } of quotas) this.#add(name, bytes);
    };
    // Evicting a reservation without bytes would make no room.
    const evictable = evict && { quotas, evict: () => reserved > 0 && evict() };
    if (evictable) this.#register(evictable);
    return {
      grow: (bytes) => {
        if (isOver) return false;
        const fits = this.#makeRoom(quotas, bytes);
        if (fits) add(bytes);
        else this.#onRefused();
        return fits;
      },
      release: () => add(-reserved),
      end: () => {
        isOver = true;
        add(-reserved);
        if (evictable) this.#unregister(evictable);
      },
    };
  }

  /** Returns the number of bytes reserved in a quota. */
  reservedIn(name: string): number {
    return this.#reserved.get(name) ?? 0;
  }

  /** Whether the bytes fit into all quotas, after evictions if necessary. */
  #makeRoom(quotas: readonly Quota[], bytes: number): boolean {
    const owner = ownerOf(quotas);
    for (;;) {
      const full = quotas.find(({ name, maxBytes }) => this.reservedIn(name) + bytes > maxBytes);
      if (!full) return true;
      if (full.name === owner || !this.#evictFromLargest(full.name, this.reservedIn(owner) + bytes)) return false;
    }
  }

  /**
   * Evicts a reservation of the quota's largest owner, if that has more than `bytes`. Returns whether one was evicted.
   */
  #evictFromLargest(quota: string, bytes: number): boolean {
    let most = bytes;
    let largest: Set<Evictable> | undefined;
    for (const [owner, reservations] of this.#evictable) {
      const reserved = this.reservedIn(owner);
      const [first] = reservations;
      if (reserved <= most || !first?.quotas.some(({ name }) => name === quota)) continue;
      most = reserved;
      largest = reservations;
    }
    return [...(largest ?? [])].some((reservation) => reservation.evict());
  }

  #register(reservation: Evictable): void {
    const owner = ownerOf(reservation.quotas);
    const reservations = this.#evictable.get(owner) ?? new Set();
    this.#evictable.set(owner, reservations.add(reservation));
  }

  #unregister(reservation: Evictable): void {
    const owner = ownerOf(reservation.quotas);
    const reservations = this.#evictable.get(owner);
    reservations?.delete(reservation);
    if (reservations?.size === 0) this.#evictable.delete(owner);
  }

  #add(name: string, bytes: number): void {
    const reserved = this.reservedIn(name) + bytes;
    if (reserved > 0) this.#reserved.set(name, reserved);
    else this.#reserved.delete(name);
  }
}

const ownerOf = (quotas: readonly Quota[]): string => quotas.at(-1)?.name ?? '';

/** Creates a budget that the metrics show. */
export function meteredBudget(metrics: HeldBytesMetrics, what: BufferedData): ByteBudget {
  const budget = new ByteBudget(() => metrics.refused(what));
  metrics.watch(what, (quota) => budget.reservedIn(quota));
  return budget;
}

/** Maximum number of bytes at a time. */
export interface Limits {
  /** Of all requests. */
  all: number;
  /** Of one caller with a token. */
  caller: number;
  /** Of all anonymous requests. */
  anonymous: number;
  /** Of the anonymous requests from one address. */
  address: number;
}

function quotasIn(limits: Limits, { caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): Quota[] {
  const all = { name: 'all', maxBytes: limits.all };
  const account = countedAccount({ caller, ip });
  if (isKnownCaller(caller)) return [all, { name: account, maxBytes: limits.caller }];
  return [all, { name: 'anonymous', maxBytes: limits.anonymous }, { name: account, maxBytes: limits.address }];
}

/** Reserves bytes for a request until its response is sent or its client disconnects. */
export function reserveFor(
  request: FastifyRequest,
  { raw }: FastifyReply,
  { budget, limits, evict }: { budget: ByteBudget; limits: Limits; evict?: () => boolean },
): Reservation {
  const reservation = budget.reserve(quotasIn(limits, request), evict);
  if (raw.destroyed) reservation.end();
  else raw.once('close', reservation.end);
  return reservation;
}
