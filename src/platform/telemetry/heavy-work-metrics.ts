import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Told of heavy work by its kind. Whose work it is stands in no label. */
export interface HeavyWorkMetrics {
  /** So many more wait, or fewer. */
  waiting(kind: string, change: 1 | -1): void;
  began(kind: string, secondsWaited: number): void;
  ended(kind: string, seconds: number): void;
  /** Nobody wanted it any more, whether it ran or waited. */
  cancelled(kind: string): void;
  /** Too much was waiting. */
  refused(kind: string): void;
}

const SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

export function makeHeavyWorkMetrics(registers: Registry[]): HeavyWorkMetrics {
  const labelNames = ['kind'] as const;
  const name = (rest: string) => `stemma_heavy_work${rest}`;
  const present = new Gauge({
    name: name(''),
    help: 'Pieces of heavy work that run, and that wait for their turn.',
    labelNames: ['kind', 'state'],
    registers,
  });
  const histogram = (rest: string, help: string) =>
    new Histogram({ name: name(rest), help, labelNames, buckets: SECONDS, registers });
  const counter = (rest: string, help: string) => new Counter({ name: name(rest), help, labelNames, registers });
  const waits = histogram('_wait_seconds', 'Heavy work, from asking to its turn.');
  const durations = histogram('_duration_seconds', 'Heavy work, from its turn to its end.');
  const cancelled = counter('_cancelled_total', 'Heavy work that ended early because its request did.');
  const refused = counter('_refused_total', 'Heavy work that was refused because too much was waiting.');
  return {
    waiting: (kind, change) => present.inc({ kind, state: 'waiting' }, change),
    began(kind, seconds) {
      present.inc({ kind, state: 'running' });
      waits.observe({ kind }, seconds);
    },
    ended(kind, seconds) {
      present.dec({ kind, state: 'running' });
      durations.observe({ kind }, seconds);
    },
    cancelled: (kind) => cancelled.inc({ kind }),
    refused: (kind) => refused.inc({ kind }),
  };
}
