import { type LinkedSignal, linkSignals } from '../../lib/link-signals.ts';
import { type Actor, actingIdOf } from '../access/actor.ts';
import type { RequestDeadline } from '../context/request-deadline.ts';
import { ApiError } from '../errors/errors.ts';
import type { Share } from '../fair-shares/fair-queue.ts';
import { FairSlots, type SlotObserver } from '../fair-shares/fair-slots.ts';
import type { FaultLog } from '../log/fault-log.ts';
import { KINDS, type Kind, LANES, type Lane, WORKER_MEGABYTES } from './kinds.ts';
import { makeWorkerPool, type WorkerOptions, type WorkerPool, type WorkerTask } from './worker-pool.ts';

/** The part of a context that the scheduler reads. */
export interface Requester {
  readonly actor: Actor;
  readonly address?: string;
  readonly deadline?: RequestDeadline;
  readonly stream?: { readonly signal: AbortSignal };
  readonly inTransaction: boolean;
}

/** The request that work is for. The work is cancelled with it. */
export interface HeavyWorkOf<Ctx extends Requester = Requester> {
  ctx: Ctx;
  /** Organization that owns the content. Undefined if there is none or it is not known yet. */
  organizationId: string | undefined;
  /** Cancels the work earlier. */
  signal?: AbortSignal | undefined;
}

/** A slot in a lane. It is held until disposed. */
export interface Slot extends Disposable {
  /** Aborted when the work is cancelled. The reason is the API error to return. */
  readonly signal: AbortSignal;
  /** Runs the exported function `work` of a module in a worker (`WorkerPool.run`). */
  inWorker<Does extends WorkerTask>(
    module: URL,
    input: Parameters<Does>[0],
    options: Omit<WorkerOptions, 'signal'> & { signal?: AbortSignal },
  ): Promise<Awaited<ReturnType<Does>>>;
}

/**
 * The scheduler of all work that takes much processor time or memory. Capacity is shared fairly between organizations
 * (`FairQueue`). An organization with too much waiting work gets errors. Work is cancelled with its request, whether
 * waiting or running.
 */
export interface HeavyWork {
  /**
   * Waits for a slot. Fails with SERVICE_UNAVAILABLE, for queries with RATE_LIMITED, if too much work is waiting, and
   * with the reason of a cancellation.
   */
  begin(kind: Kind, of: HeavyWorkOf): Promise<Slot>;
  /** Waits for a slot and runs one function in a worker. */
  inWorker<Does extends WorkerTask>(
    kind: Kind,
    of: HeavyWorkOf,
    work: { module: URL; input: Parameters<Does>[0]; limitMs: number },
  ): Promise<Awaited<ReturnType<Does>>>;
  /** Cancels all work. */
  close(): Promise<void>;
}

/** What is measured of heavy work, by kind. */
export interface HeavyWorkMetrics {
  /** Changes the number of waiting items. */
  waiting(kind: string, change: 1 | -1): void;
  began(kind: string, secondsWaited: number): void;
  ended(kind: string, seconds: number): void;
  /** Waiting or running work was cancelled. */
  cancelled(kind: string): void;
  /** Work was rejected because too much was waiting. */
  refused(kind: string): void;
}

export function makeHeavyWork(metrics: HeavyWorkMetrics, log: FaultLog): HeavyWork {
  const closing = new AbortController();
  const lanes = Object.fromEntries(
    (Object.keys(LANES) as Lane[]).map((lane) => [
      lane,
      makeLane(lane, makeWorkerPool(WORKER_MEGABYTES[lane], log), metrics),
    ]),
  ) as Record<Lane, ReturnType<typeof makeLane>>;

  const begin = async (kind: Kind, of: HeavyWorkOf): Promise<Slot> => {
    const linked = linkSignals([closing.signal, ...signalsOf(of)]);
    try {
      linked.signal.throwIfAborted();
      return await lanes[KINDS[kind]].begin(kind, shareOf(of), linked);
    } catch (error) {
      linked[Symbol.dispose]();
      throw error;
    }
  };
  return {
    begin,
    async inWorker<Does extends WorkerTask>(
      kind: Kind,
      of: HeavyWorkOf,
      { module, input, limitMs }: { module: URL; input: Parameters<Does>[0]; limitMs: number },
    ): Promise<Awaited<ReturnType<Does>>> {
      using slot = await begin(kind, of);
      return await slot.inWorker<Does>(module, input, { limitMs });
    },
    async close() {
      closing.abort(unavailable('The service is shutting down. Try again later.'));
      await Promise.all(Object.values(lanes).map(({ close }) => close()));
    },
  };
}

function makeLane(lane: Lane, workers: WorkerPool, metrics: HeavyWorkMetrics) {
  const tooMany = lane === 'query' ? TOO_MANY_QUERIES : TOO_MUCH;
  const slots = new FairSlots({ ...LANES[lane], order: 'least time', tooMany });
  return {
    /** The slot disposes the signal. */
    async begin(kind: Kind, share: Share, { signal, [Symbol.dispose]: unlink }: LinkedSignal): Promise<Slot> {
      const slot = await slots.take(share, signal, observerOf(kind, signal, metrics));
      return {
        signal,
        inWorker(module, input, { signal: earlier, ...options }) {
          const ending = earlier ? AbortSignal.any([signal, earlier]) : signal;
          return workers.run(module, input, { ...options, signal: ending });
        },
        [Symbol.dispose]() {
          slot[Symbol.dispose]();
          unlink();
        },
      };
    },
    close: () => workers.close(),
  };
}

const observerOf = (kind: Kind, signal: AbortSignal, metrics: HeavyWorkMetrics): SlotObserver => ({
  waiting: (change) => metrics.waiting(kind, change),
  began: (secondsWaited) => metrics.began(kind, secondsWaited),
  ended(seconds) {
    if (signal.aborted) metrics.cancelled(kind);
    metrics.ended(kind, seconds);
  },
  cancelled: () => metrics.cancelled(kind),
  refused: () => metrics.refused(kind),
});

/** Callers are identified by their id, or without a token by their address. Jobs of the service are one caller. */
function shareOf({ ctx, organizationId }: HeavyWorkOf): Share {
  const caller = actingIdOf(ctx.actor) ?? ctx.address ?? 'service';
  return { owner: organizationId ?? caller, caller, isUrgent: ctx.inTransaction };
}

const signalsOf = ({ ctx: { deadline, stream }, signal }: HeavyWorkOf) =>
  [deadline?.abandonedSignal, stream?.signal, signal].filter((candidate) => candidate !== undefined);

const unavailable = (message: string) => new ApiError('SERVICE_UNAVAILABLE', message);

const TOO_MANY_QUERIES = new ApiError(
  'RATE_LIMITED',
  'You have too many expensive queries at a time. Wait for their responses, or request fewer objects.',
  [],
  { retryAfterSeconds: 1 },
);

const TOO_MUCH = unavailable('This organization has too many pending imports and exports. Try again later.');
