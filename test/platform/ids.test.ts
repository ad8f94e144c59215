import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { isId, PREFIXES, prefixOf } from '../../src/platform/ids/ids.ts';
import { idAt } from '../id-at.ts';

// A copy of the module: ids never go back, and those of other tests are to have the times at which they were made.
const copy = '../../src/platform/ids/ids.ts?copy';
const { newId }: typeof import('../../src/platform/ids/ids.ts') = await import(copy);

afterEach(() => vi.useRealTimers());

const bodyOf = (id: string) => id.slice(id.indexOf('_') + 1);

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** The 128 bits of an id. */
const bitsOf = (id: string) =>
  [...bodyOf(id)].reduce((bits, character) => (bits << 5n) | BigInt(ALPHABET.indexOf(character)), 0n);

const prefixes = fc.constantFrom(...(Object.keys(PREFIXES) as (keyof typeof PREFIXES)[]));

test('ids are strictly increasing in the order in which they are made, whatever their kind and the clock', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const move = fc.record({ prefix: prefixes, clock: fc.integer({ min: -5_000, max: 5_000 }), count: fc.nat(40) });
  fc.assert(
    fc.property(fc.array(move, { minLength: 1 }), (moves) => {
      const made = moves.flatMap(({ prefix, clock, count }) => {
        vi.setSystemTime(Date.now() + clock);
        return Array.from({ length: count }, () => bodyOf(newId(prefix)));
      });
      expect(made).toEqual(made.toSorted());
      expect(new Set(made).size).toBe(made.length);
    }),
  );
});

test('an id is a UUID of version 7 with its millisecond', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  // Later than any time that the test above can reach.
  let latest = Date.now() + 10_000_000_000;
  fc.assert(
    fc.property(
      prefixes,
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 1, max: 20 }),
      (prefix, step, count) => {
        latest += step;
        vi.setSystemTime(latest);
        for (let made = 0; made < count; made++) {
          const id = newId(prefix);
          const bits = bitsOf(id);
          expect([prefixOf(id), isId(prefix, id)]).toEqual([prefix, true]);
          expect(Number(bits >> 80n)).toBe(latest);
          expect([(bits >> 76n) & 0xfn, (bits >> 62n) & 0b11n]).toEqual([7n, 0b10n]);
        }
      },
    ),
  );
  expect(bitsOf(idAt('page', 1_700_000_000_000)) >> 80n).toBe(1_700_000_000_000n);
});

test('ids of several threads differ', async () => {
  const code = `
    import { parentPort } from 'node:worker_threads';
    import { newId } from ${JSON.stringify(new URL('../../src/platform/ids/ids.ts', import.meta.url).href)};
    parentPort.postMessage(Array.from({ length: 2_000 }, () => newId('page')));`;
  const run = () =>
    new Promise<string[]>((resolve, reject) => {
      const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
      worker.once('message', resolve).once('error', reject);
    });
  const made = (await Promise.all([run(), run(), run()])).flat();
  expect(new Set(made).size).toBe(6_000);
});
