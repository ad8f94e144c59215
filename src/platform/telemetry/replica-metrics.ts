import { Counter, Gauge, type Registry } from 'prom-client';
import type { Replicas } from '../database/replicas/replicas.ts';

/** Metrics of the replicas of the database, as this process sees them. Replicas are named by host and port. */
export function replicaMetrics(replicas: Replicas, registers: Registry[]): void {
  new Gauge({
    name: 'stemma_replica_in_use',
    help: 'Number of processes that read from the replica.',
    labelNames: ['replica'],
    registers,
    collect() {
      for (const { name, isInUse } of replicas.views()) this.set({ replica: name }, isInUse ? 1 : 0);
    },
  });
  new Gauge({
    name: 'stemma_replica_lag_seconds',
    help: 'Age of the state of the replica. Missing while it is not known.',
    aggregator: 'max',
    labelNames: ['replica'],
    registers,
    collect() {
      this.reset();
      for (const { name, lagMs } of replicas.views()) {
        if (lagMs !== undefined) this.set({ replica: name }, lagMs / 1_000);
      }
    },
  });
  new Counter({
    name: 'stemma_replica_reads_total',
    help: 'Reads that a replica may answer: by a replica, or by the primary, since rows were missing, the replica failed, or none could be read.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of replicas.counts()) this.inc({ outcome }, count);
    },
  });
}
