import { Gauge, type Registry } from 'prom-client';
import type { DiskWatch } from '../disk/disk-watch.ts';

/**
 * Registers the free space of the disks, and whether they count as full. Processes of one service have the same disks.
 */
export function diskMetrics(disk: DiskWatch, registers: Registry[]): void {
  const labelNames = ['disk'];
  new Gauge({
    name: 'stemma_disk_free_bytes',
    help: 'Free space of the disks of the embedded database and of stored files.',
    aggregator: 'min',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const [use, bytes] of disk.free) this.set({ disk: use }, bytes);
    },
  });
  new Gauge({
    name: 'stemma_disk_full',
    help: '1 if nothing is written to a disk because it is full.',
    aggregator: 'max',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const use of disk.free.keys()) this.set({ disk: use }, disk.isFull(use) ? 1 : 0);
    },
  });
}
