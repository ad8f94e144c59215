import { pipeline, Transform } from 'node:stream';
import type { DiskWatch } from '../disk/disk-watch.ts';
import { receiveAndKeep, type Storage } from './storage.ts';

/** Bytes that are received between two looks at the free space. */
const STEP_BYTES = 2 ** 20;

/**
 * The same storage, which rejects with INSUFFICIENT_STORAGE while its disk is full: before a file, and in the middle of
 * one. What was received of it is removed.
 */
export function watchedStorage(storage: Storage, disk: DiskWatch): Storage {
  const receive: Storage['receive'] = async (bytes, maxBytes) => {
    try {
      await disk.rejectFull('files');
      const incoming = await storage.receive(
        pipeline(bytes, stopWhenFull(disk), () => {}),
        maxBytes,
      );
      return { ...incoming, keep: () => noting(disk, incoming.keep()) };
    } catch (error) {
      bytes.destroy();
      disk.noteError(error);
      throw error;
    }
  };
  return {
    receive,
    write: (bytes, maxBytes) => receiveAndKeep(receive, bytes, maxBytes),
    read: (hash, range) => storage.read(hash, range),
    localFile: (hash) => storage.localFile(hash),
    list: () => storage.list(),
    remove: (hash, unlessSince) => storage.remove(hash, unlessSince),
    tidy: (usedOf, before, signal) => storage.tidy(usedOf, before, signal),
  };
}

function stopWhenFull(disk: DiskWatch): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      if (passed < STEP_BYTES) return done(null, chunk);
      passed = 0;
      disk.rejectFull('files').then(() => done(null, chunk), done);
    },
  });
}

async function noting<Result>(disk: DiskWatch, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    disk.noteError(error);
    throw error;
  }
}
