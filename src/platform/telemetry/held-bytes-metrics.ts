import { Counter, Gauge, type Registry } from 'prom-client';

/** The data that is held in memory for requests: their bodies, and long responses. */
export type BufferedData = 'bodies' | 'answers';

const SHARES = ['all', 'anonymous'] as const;

/** Metrics of the memory that is held for requests. Labels do not identify callers. */
export interface HeldBytesMetrics {
  /** `heldBy` is called whenever the metrics are read. */
  watch(what: BufferedData, heldBy: (share: (typeof SHARES)[number]) => number): void;
  /** A request was rejected because of a limit. */
  refused(what: BufferedData): void;
}

export function makeHeldBytesMetrics(registers: Registry[]): HeldBytesMetrics {
  const watched = new Map<BufferedData, (share: (typeof SHARES)[number]) => number>();
  new Gauge({
    name: 'stemma_held_bytes',
    help: 'Bytes held in memory for all requests, and for anonymous ones.',
    labelNames: ['what', 'share'],
    registers,
    collect() {
      for (const [what, heldBy] of watched) for (const share of SHARES) this.set({ what, share }, heldBy(share));
    },
  });
  const refused = new Counter({
    name: 'stemma_held_bytes_refused_total',
    help: 'Requests rejected because too many bytes were held.',
    labelNames: ['what'],
    registers,
  });
  return {
    watch: (what, heldBy) => void watched.set(what, heldBy),
    refused: (what) => refused.inc({ what }),
  };
}
