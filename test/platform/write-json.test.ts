import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lengthOfJson, writeJson } from '../../src/platform/http/write-json.ts';

class TooLong extends Error {}

async function write(value: unknown, maxBytes = 1e9): Promise<Buffer> {
  const { list, length } = await writeJson(value, {
    maxBytes,
    tooLong: () => {
      throw new TooLong();
    },
  });
  expect(Math.max(...list.map((piece) => piece.length))).toBeLessThan(500_000);
  return Buffer.concat(list, length);
}

test('chunked output equals JSON.stringify', async () => {
  const leaf = fc.oneof(fc.constantFrom(undefined, null, true, new Date(0), Number.NaN), fc.string({ unit: 'binary' }));
  const value = fc.letrec((tie) => ({
    value: fc.oneof(leaf, fc.array(tie('value')), fc.dictionary(fc.string(), tie('value'))),
  })).value;
  await fc.assert(
    fc.asyncProperty(value, async (given) => {
      const long = {
        given,
        text: 'x'.repeat(20_000),
        list: Array(3_000).fill(given),
        more: [given, 'y'.repeat(70_000)],
      };
      expect((await write(long)).toString()).toBe(JSON.stringify(long));
    }),
    { numRuns: 25 },
  );
});

test('long strings are cut between characters', async () => {
  for (const text of ['\u{1f600}'.repeat(100_000), `x${'\u{1f600}'.repeat(100_000)}`, '"\\\n'.repeat(50_000)]) {
    expect((await write([text])).toString()).toBe(JSON.stringify([text]));
  }
});

test('output over the limit ends early', async () => {
  let printed = 0;
  const members = Array.from({ length: 1_000 }, () => ({
    get text() {
      printed++;
      return 'x'.repeat(1_000);
    },
  }));
  await expect(write({ members }, 100_000)).rejects.toThrow(TooLong);
  // Each is looked at a second time to weigh it.
  expect(printed).toBeLessThan(1_000);
  await expect(write('x'.repeat(99_998), 100_000)).resolves.toHaveLength(100_000);
  await expect(write('x'.repeat(99_999), 100_000)).rejects.toThrow(TooLong);
});

test('the event loop runs between the pieces', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns++;
  });
  await write(Array.from({ length: 200_000 }, (_, index) => ({ index, text: 'some text of an item' })));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
});

test('only what is long is written in pieces', () => {
  expect(lengthOfJson({ text: 'x'.repeat(1_000), list: Array(1_000).fill(1) })).toBe('short');
  expect(lengthOfJson({ text: 'x'.repeat(100_000) })).toBe('medium');
  expect(lengthOfJson(Array(10_000).fill(1))).toBe('medium');
  expect(lengthOfJson({ text: 'x'.repeat(2_200_000) })).toBe('long');
  expect(lengthOfJson(Array(250_000).fill(1))).toBe('long');
});
