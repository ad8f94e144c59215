import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asAccount } from '../../../src/platform/context/account.ts';
import { isCounted, isLong, writeJson } from '../../../src/platform/http/limits/write-json.ts';
import { lawRuns } from '../../how-thorough.ts';

class TooLong extends Error {}

async function write(value: unknown, maxBytes = 1e9): Promise<Buffer> {
  let size = 0;
  return writeJson(value, (bytes) => {
    size += bytes;
    if (size > maxBytes) throw new TooLong();
  });
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
        list: Array(500).fill(given),
        more: [given, 'y'.repeat(70_000)],
      };
      expect((await write(long)).toString()).toBe(JSON.stringify(long));
    }),
    { numRuns: lawRuns(12) },
  );
});

test('long strings of surrogate pairs and escapes are whole', async () => {
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

test('long values are written one after the other, and accounts alternate', async () => {
  const value = Array.from({ length: 40 }, () => 'some text '.repeat(20_000));
  const pieces: string[] = [];
  const ended: string[] = [];
  const writeFor = async (account: string) => {
    await asAccount(account, () => writeJson(value, () => pieces.push(account)));
    ended.push(account);
  };
  await Promise.all(['many 1', 'many 2', 'many 3', 'many 4', 'one'].map((name) => writeFor(name)));
  const switches = pieces.filter((name, index) => name !== pieces[index - 1]).length;
  expect(switches).toBeLessThanOrEqual(2 * ended.length);
  await Promise.all(['many', 'many', 'many', 'many', 'many', 'one'].map((name) => writeFor(name)));
  expect(ended.slice(5).indexOf('one')).toBeLessThan(4);
});

test('short responses are not counted, and long ones are not written at once', () => {
  const kinds = [
    { text: 'x'.repeat(1_000), list: Array(1_000).fill(1) },
    { text: 'x'.repeat(100_000) },
    Array(10_000).fill(1),
    { text: 'x'.repeat(2_200_000) },
    Array(250_000).fill(1),
  ].map((value) => [isCounted(value), isLong(value)]);
  expect(kinds).toEqual([
    [false, false],
    [true, false],
    [true, false],
    [true, true],
    [true, true],
  ]);
});
