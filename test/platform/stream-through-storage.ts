import { Readable } from 'node:stream';
import { openStorage } from '../../src/platform/storage/open-storage.ts';
import { readStorageLocation } from '../../src/platform/storage/storage-location.ts';

/**
 * Writes so many megabytes to a storage, reads them, copies them to a file, and prints the sizes and how many bytes of
 * buffers were in use at most. A process of its own, with `--expose-gc`: garbage is collected all the time, which takes
 * a moment here, and seconds each time in a process that runs many files of tests.
 */

const MB = 1_000_000;
const EVERY_MS = 100;

const [location = '', temporaryDirectory = '', megabytes = ''] = process.argv.slice(2);

function* chunks(): Generator<Buffer> {
  for (let index = 0; index < Number(megabytes); index += 1) yield Buffer.alloc(MB, `${index};`);
}

function held(): number {
  if (!gc) throw new Error('Start with --expose-gc.');
  gc();
  return process.memoryUsage().arrayBuffers;
}

const { storage, close } = await openStorage(readStorageLocation(location), {
  temporaryDirectory,
  timeoutMs: 15_000,
});
const before = held();
let peak = before;
const timer = setInterval(() => {
  peak = Math.max(peak, held());
}, EVERY_MS);

const { hash, size } = await storage.write(Readable.from(chunks(), { objectMode: false }), 2 * Number(megabytes) * MB);
let read = 0;
for await (const chunk of (await storage.read(hash)) ?? []) read += chunk.length;
const file = await storage.localFile(hash);
await file?.release();

clearInterval(timer);
close();
process.stdout.write(JSON.stringify({ size, read, grown: peak - before }));
