import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { markHandled } from '../../lib/mark-handled.ts';
import { insufficientStorage, isOutOfSpace } from './out-of-space.ts';

/** Directories whose disks are watched. */
export interface WatchedDirectories {
  /** Of the embedded database. Commands are rejected while its disk is full. */
  database?: string | undefined;
  /** Of stored files. */
  files?: string | undefined;
}

export type DiskUse = keyof WatchedDirectories;

export interface DiskWatchOptions {
  directories: WatchedDirectories;
  /** Free space in bytes below which a disk counts as full. With 0, no disk does. */
  minFreeBytes: number;
  log: FastifyBaseLogger;
}

const INTERVAL_MS = 500;

/** How long an error counts as the state of the disk. */
const REMEMBERED_MS = 60_000;

/** Writing begins with this much more, so that it does not stop again at once. */
const RESUME_FACTOR = 1.5;

/**
 * Knows whether the disks of this service are full. A disk counts as full before its last byte is used:
 * PostgreSQL stops without space for its log, so the rest is reserved for it.
 */
export class DiskWatch {
  readonly #options: DiskWatchOptions;
  readonly #free = new Map<DiskUse, number>();
  readonly #full = new Set<DiskUse>();
  readonly #listeners = new Set<() => void>();
  #failedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => markHandled(this.look()), INTERVAL_MS).unref();
  }

  /** Free bytes by use, as far as they could be read. */
  get free(): ReadonlyMap<DiskUse, number> {
    return this.#free;
  }

  isFull(use: DiskUse): boolean {
    return this.#full.has(use);
  }

  /** Why nothing can be written at the moment, for probes. Undefined if everything can. */
  get fault(): string | undefined {
    if (this.#full.has('database'))
      return 'The disk is full, so the service cannot write. Free space or enlarge the disk.';
    if (this.#full.has('files'))
      return 'The disk of the file storage is full, so the service cannot store files. Free space or enlarge the disk.';
    const isRecent = performance.now() - this.#failedAt < REMEMBERED_MS;
    return isRecent ? 'A disk of the service was full in the last minute.' : undefined;
  }

  /** Remembers an error if it says that a disk is full, and looks at the free space. */
  noteError(error: unknown): void {
    if (!isOutOfSpace(error)) return;
    this.#failedAt = performance.now();
    markHandled(this.look());
  }

  /** Rejects with INSUFFICIENT_STORAGE if the disk is full now. */
  async rejectFull(use: DiskUse): Promise<void> {
    await this.look();
    this.rejectKnownFull(use);
  }

  /** Throws INSUFFICIENT_STORAGE if the disk was full when it was last looked at. */
  rejectKnownFull(use: DiskUse): void {
    if (this.#full.has(use)) throw insufficientStorage();
  }

  /** Calls a function whenever a disk has become full or has space again. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Reads the free space. Concurrent calls share one reading. */
  look(): Promise<void> {
    this.#looking ??= this.#read().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #read(): Promise<void> {
    for (const use of ['database', 'files'] as const) {
      const directory = this.#options.directories[use];
      const free = directory === undefined ? undefined : await freeDiskBytes(directory);
      if (free === undefined) this.#free.delete(use);
      else this.#note(use, free);
    }
  }

  #note(use: DiskUse, free: number): void {
    const { minFreeBytes, log } = this.#options;
    // At the start, the disk may have been full before.
    const hadSpace = this.#free.has(use) && !this.#full.has(use);
    this.#free.set(use, free);
    const isFull = free < minFreeBytes * (hadSpace ? 1 : RESUME_FACTOR);
    if (isFull === this.#full.has(use)) return;
    if (isFull) {
      this.#full.add(use);
      log.error(
        { disk: use, freeBytes: free, minFreeBytes },
        'the disk is full: the service does not write until it has space',
      );
    } else {
      this.#full.delete(use);
      log.warn({ disk: use, freeBytes: free }, 'the disk has space again');
    }
    for (const listener of this.#listeners) listener();
  }
}

/** Free bytes for this user, in a directory or in the one where it will be made. Undefined if there is neither. */
export const freeDiskBytes = async (directory: string): Promise<number | undefined> =>
  (await freeAt(directory)) ?? (await freeAt(dirname(directory)));

const freeAt = (directory: string): Promise<number | undefined> =>
  statfs(directory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
