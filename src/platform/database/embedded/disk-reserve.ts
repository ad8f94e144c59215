import pg from 'pg';
import { markHandled } from '../../../lib/mark-handled.ts';
import { freeDiskBytes } from '../../disk/disk-watch.ts';
import { reserveFile } from '../../disk/reserve-file.ts';
import type { ServerEvents } from './server.ts';

export interface DiskReserve {
  /** Watches the disk of a running server. */
  watch(url: string): void;
  stop(): Promise<void>;
}

const INTERVAL_MS = 1_000;

/**
 * Keeps a file of `bytes` in the data directory, and removes it when the disk is nearly full, so that PostgreSQL can go
 * on and start. When less than `bytes` are free, PostgreSQL writes a checkpoint, which removes or reuses files of its
 * log.
 */
export async function openDiskReserve(directory: string, bytes: number, log: ServerEvents): Promise<DiskReserve> {
  const reserve = reserveFile(directory, bytes);
  let isLow = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const adjust = async () => {
    try {
      const done = await reserve.adjust();
      if (done === 'freed' && bytes > 0) log(`The disk of ${directory} is full. The reserve was removed.`, 'error');
    } catch {
      // Another program took the space meanwhile. It is tried again.
    }
  };
  const check = async (url: string) => {
    await adjust();
    const wasLow = isLow;
    isLow = ((await freeDiskBytes(directory)) ?? bytes) < bytes;
    if (isLow && !wasLow) await checkpoint(url);
  };
  await adjust();
  return {
    watch(url) {
      const look = () => {
        running ??= markHandled(
          check(url).finally(() => {
            running = undefined;
          }),
        );
      };
      look();
      timer = setInterval(look, INTERVAL_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** PostgreSQL reports failures in its own log. */
async function checkpoint(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('checkpoint');
  } catch {
    // It is stopping, starting or has no free connection: it writes a checkpoint itself.
  } finally {
    await client.end().catch(() => {});
  }
}
