import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonFault, readJson } from '../../../src/platform/http/limits/read-json.ts';
import { lawRuns } from '../../how-thorough.ts';

const never = async () => {};

/** What a text says, or that it says nothing. */
async function read(text: string | Buffer): Promise<unknown> {
  try {
    return { value: await readJson(Buffer.from(text as string), never) };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return error.message;
  }
}

function reference(text: string): unknown {
  try {
    // Halves of surrogate pairs do not exist in UTF-8, and a byte order mark is skipped.
    return { value: JSON.parse(new TextDecoder().decode(Buffer.from(text))) };
  } catch {
    return 'is not valid JSON';
  }
}

/** Longer than a piece, so that everything around it is divided. */
const LONG = 'x'.repeat(140_000);
const SPACE = ' '.repeat(140_000);
const LONG_NAME = 'n'.repeat(60_000);
/** What is escaped, or has several bytes, wherever a piece ends. */
const ESCAPED = ['\u0001', 'x\\', '"', 'é', '€x', '😀'].map((each) => each.repeat(70_000));

/** Values with long strings, lists and objects in places that are drawn, printed with or without spaces. */
const long = fc.constantFrom(LONG, `${LONG.slice(9)}"\\é😀\u{feff}`, [LONG], { [LONG_NAME]: LONG }, [], {}, ...ESCAPED);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { arbitrary: fc.jsonValue({ maxDepth: 1 }), weight: 2 },
    { arbitrary: long, weight: 3 },
    { arbitrary: fc.array(tie('value'), { maxLength: 4 }), weight: 3 },
    {
      arbitrary: fc.dictionary(fc.constantFrom('a', 'b', '1', '__proto__', '\u{feff}', 'é'), tie('value'), {
        maxKeys: 4,
        noNullPrototype: true,
      }),
      weight: 3,
    },
  ),
}));
const printed = fc
  .tuple(value, fc.constantFrom(undefined, 1))
  .map(([each, indent]) => JSON.stringify(each, undefined, indent));

test('whatever is valid reads as JSON.parse reads it, also in pieces', async () => {
  await fc.assert(
    fc.asyncProperty(printed, async (text) => {
      const [ours, theirs] = [await read(text), reference(text)];
      expect(ours).toEqual(theirs);
      // The order of properties, and properties named __proto__.
      expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs));
    }),
    { numRuns: lawRuns(50) },
  );
});

test('a text with a character too many, too few or in the wrong place is valid exactly where JSON.parse says so', async () => {
  const token = fc.constantFrom('', '[', ']', '{', '}', ',', ':', '"', '0', ' ', 'a', '\\', '[]', '"a":1');
  await fc.assert(
    fc.asyncProperty(printed, fc.nat(), fc.nat(), fc.nat(2), token, async (text, at, other, cut, put) => {
      // Characters of long strings say little: only the others are changed.
      const places = [...text.matchAll(/[^x ]/g)].map(({ index }) => index);
      places.push(0, text.length);
      let broken = text;
      for (const place of [
        places[at % places.length] ?? 0,
        ...(cut === 2 ? [places[other % places.length] ?? 0] : []),
      ]) {
        broken = broken.slice(0, place) + put + broken.slice(place + Math.min(cut, 1));
      }
      const ours = await read(broken);
      // A quote more or less makes a name of a long string.
      const isRefused = typeof ours === 'string' && ours.startsWith('has a property name that is too long');
      if (!isRefused && !isDeepStrictEqual(ours, reference(broken)))
        throw new Error(broken.replaceAll(/(x|\x20){200,}/g, '…'));
    }),
    { numRuns: lawRuns(50) },
  );
});

test.each([
  ['[', `${SPACE}]`],
  ['{', `${SPACE}}`],
  ['[1,', `${SPACE}]`],
  ['[', `${SPACE},1]`],
  ['{"a":1', `[${SPACE}]}`],
  ['{"a":', `[${SPACE}]1}`],
  ['{"a":', `[${SPACE}][]}`],
  ['{"a":', `[${SPACE}],}`],
  ['{', `[${SPACE}]}`],
  ['["a":', `[${SPACE}]]`],
  ['[', `{${SPACE}]]`],
  ['[', `${SPACE}}`],
  ['', `[${SPACE}][${SPACE}]`],
  ['', `-[${SPACE}]`],
  ['', `[${SPACE}].0`],
  ['0.', `"${LONG}"`],
  ['', `{"a":"${LONG}"}e5`],
  ['{"a":', `["${LONG}",[${SPACE}`],
  ['[]', `[${SPACE}]`],
  ['', `[${SPACE}]]`],
  ['', `]${SPACE}[`],
  ['{"a":[', `${SPACE}],"a":2,"b":[${SPACE}],"__proto__":[${SPACE}]}`],
  ['', `"${LONG}"`],
  ['', `"${LONG}""${LONG}"`],
  ['', `"${LONG}`],
  ['[', `"${LONG}""${LONG}"]`],
  ['[', `"${LONG}"[${SPACE}]]`],
  ['["', `${'\\ud83d\\ude00'.repeat(20_000)}"]`],
  ['["x', `${'\\ud83d\\ude00'.repeat(20_000)}"]`],
  ['["', `${'\\\\'.repeat(80_000)}"]`],
  ['["x', `${'\\"'.repeat(80_000)}"]`],
  ['["', `${LONG}\\u"]`],
  ['["', `${LONG}\\u00"]`],
  ['["', `${LONG}\\x"]`],
  ['["', `${LONG}\n"]`],
  ['{', `"${LONG}"}`],
  ['{"a":', `"${LONG}","a":"${LONG}1"}`],
  ['', SPACE],
])('%s… is read as JSON.parse reads it', async (start, rest) => {
  expect(await read(start + rest)).toEqual(reference(start + rest));
});

test('a byte order mark is skipped at the beginning only, and other bytes are not replaced', async () => {
  const mark = Buffer.from([0xef, 0xbb, 0xbf]);
  expect(await read(Buffer.concat([mark, Buffer.from(`["${LONG}"]`)]))).toEqual({ value: [LONG] });
  expect(await read(Buffer.concat([Buffer.from(`[${SPACE}`), mark, Buffer.from(']')]))).toBe('is not valid JSON');
  expect(await read(Buffer.concat([Buffer.from(`["${LONG}`), Buffer.from([0xff]), Buffer.from('"]')]))).toBe(
    'is not valid UTF-8',
  );
});

test('the limits hold', async () => {
  expect(await read(`{"${LONG}":1}`)).toMatch(/^has a property name that is too long/);
  expect(await read('['.repeat(300_000))).toMatch(/^is nested too deeply/);
  expect(await read(`[${'0,'.repeat(300_001)}0]`)).toMatch(/^has too many properties and items/);
});

test('the event loop runs between the pieces, of which none is large', async () => {
  const items = Array.from({ length: 60_000 }, (_, index) => ({ index, text: 'x'.repeat(120) }));
  const written = { items, more: { [LONG_NAME]: items.slice(0, 9_000), text: 'x\u{1}é'.repeat(200_000) } };
  const bytes = Buffer.from(JSON.stringify(written));
  let pauses = 0;
  const parsed: number[] = [];
  const original = JSON.parse;
  JSON.parse = (text) => {
    parsed.push(text.length);
    return original(text);
  };
  const value = await readJson(bytes, async () => void pauses++).finally(() => {
    JSON.parse = original;
  });
  expect(isDeepStrictEqual(value, written)).toBe(true);
  // A long string is parsed at once.
  expect(parsed.filter((length) => length > 300_000)).toEqual([1_600_000 + '{"text":""}'.length]);
  expect(pauses).toBeGreaterThan(bytes.length / 75_000 - 1_600_000 / 150_000);
});
