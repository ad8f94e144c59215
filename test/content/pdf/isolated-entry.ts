import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';

/** What the tests of isolated processes have done in them; the first line of the input says which. */
const attempts: Record<string, (argument: string) => unknown> = {
  echo: (argument) => argument,
  environment: () => JSON.stringify(Object.keys(process.env)),
  read: (path) => readFileSync(path, 'utf8'),
  exists: (path) => String(existsSync(path)),
  stream: (path) => text(createReadStream(path, { end: 10 })),
  write: (path) => writeFileSync(path, 'x'),
  spawn: () => spawnSync('/bin/true').error ?? 'spawned',
  worker: () => new Worker('0', { eval: true }),
  forever: () => {
    for (;;);
  },
  heap: () => {
    for (const all: unknown[] = []; ; ) all.push(Array.from({ length: 10_000 }, () => ({ all })));
  },
  buffers: () => {
    for (const all: Buffer[] = []; ; ) all.push(Buffer.alloc(16 * 1024 * 1024, 1));
  },
  flood: async () => {
    for (;;) if (!process.stdout.write('x'.repeat(1024))) await once(process.stdout, 'drain');
  },
  fail: () => {
    throw new Error('It is meant to fail.');
  },
};

const [name = '', argument = ''] = (await text(process.stdin)).split('\n');
process.stdout.write(String(await attempts[name]?.(argument)));
