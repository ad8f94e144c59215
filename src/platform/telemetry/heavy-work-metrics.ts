import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { HeavyWorkMetrics } from '../heavy-work/heavy-work.ts';
import { KINDS } from '../heavy-work/kinds.ts';

const SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Labels do not identify callers. */
export function makeHeavyWorkMetrics(registers: Registry[]): HeavyWorkMetrics {
  const labelNames = ['kind'] as const;
  const name = (rest: string) => `stemma_heavy_work${rest}`;
  const present = new Gauge({
    name: name(''),
    help: 'Number of running and waiting items of heavy work.',
    labelNames: ['kind', 'state'],
    registers,
  });
  const histogram = (rest: string, help: string) =>
    new Histogram({ name: name(rest), help, labelNames, buckets: SECONDS, registers });
  const counter = (rest: string, help: string) => new Counter({ name: name(rest), help, labelNames, registers });
  const waits = histogram('_wait_seconds', 'Time that heavy work waited before it started.');
  const durations = histogram('_duration_seconds', 'Duration of heavy work.');
  const cancelled = counter('_cancelled_total', 'Heavy work that was cancelled with its request.');
  const refused = counter('_refused_total', 'Heavy work that was rejected because too much was waiting.');
  // An alert sees an increase only of what has been there before.
  for (const kind of Object.keys(KINDS)) refused.inc({ kind }, 0);
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
