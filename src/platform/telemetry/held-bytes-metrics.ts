import { Counter, Gauge, type Registry } from 'prom-client';

/** What is held in memory for requests: their bodies, and the long answers to them. */
export type Held = 'bodies' | 'answers';

const SHARES = ['all', 'anonymous'] as const;

/** Told of the bytes that are held for requests. Whose requests they are stands in no label. */
export interface HeldBytesMetrics {
  /** `heldBy` is asked whenever the metrics are read. */
  watch(what: Held, heldBy: (share: (typeof SHARES)[number]) => number): void;
  /** A request found no room. */
  refused(what: Held): void;
}

export function makeHeldBytesMetrics(registers: Registry[]): HeldBytesMetrics {
  const watched = new Map<Held, (share: (typeof SHARES)[number]) => number>();
  new Gauge({
    name: 'stemma_held_bytes',
    help: 'Bytes held in memory for requests: of all of them, and of anonymous ones among them.',
    labelNames: ['what', 'share'],
    registers,
    collect() {
      for (const [what, heldBy] of watched) for (const share of SHARES) this.set({ what, share }, heldBy(share));
    },
  });
  const refused = new Counter({
    name: 'stemma_held_bytes_refused_total',
    help: 'Requests that were refused because too many bytes were held.',
    labelNames: ['what'],
    registers,
  });
  return {
    watch: (what, heldBy) => void watched.set(what, heldBy),
    refused: (what) => refused.inc({ what }),
  };
}
