import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { releaseMemory } from '../../../src/lib/growing-bytes.ts';
import { ByteBudget } from '../../../src/platform/http/limits/byte-budget.ts';
import { JSON_LIMITS, JsonScan, jsonExcess } from '../../../src/platform/http/limits/json-scan.ts';
import { receiveBody } from '../../../src/platform/http/limits/receive-body.ts';
import { RequestScheduler } from '../../../src/platform/http/limits/request-scheduler.ts';

const scheduler = new RequestScheduler();

const receive = (source: PassThrough, bounds: { maxBytes?: number; room?: number; arrivalMs?: number } = {}) => {
  const { maxBytes = 1_000_000, room = 2_000_000, arrivalMs } = bounds;
  const reservation = new ByteBudget().reserve([{ name: 'all', maxBytes: room }]);
  const enter = () => scheduler.enter('anna');
  return receiveBody(source, { maxBytes, declaredBytes: 0, tooLarge: 'too large', arrivalMs, reservation, enter });
};

test('a body comes together from pieces of any size', async () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(pieces, async (chunks) => {
      const source = new PassThrough();
      const body = receive(source);
      for (const chunk of chunks) source.write(chunk);
      source.end();
      expect(await body).toEqual(Buffer.concat(chunks));
    }),
  );
});

test('a body that does not arrive in its time is refused', async () => {
  const source = new PassThrough();
  source.write('{');
  await expect(receive(source, { arrivalMs: 10 })).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT', status: 408 });
});

test('many bodies that are late at the same time are refused over several ticks of the event loop', async () => {
  let ticks = 0;
  let isOver = false;
  const count = () => {
    ticks++;
    if (!isOver) setImmediate(count);
  };
  const answered = Array.from({ length: 60 }, async () => {
    await receive(new PassThrough(), { arrivalMs: 20 }).then(
      () => expect.fail('None arrives.'),
      () => {},
    );
    // As long as an answer takes.
    for (const end = performance.now() + 1; performance.now() < end; );
    return ticks;
  });
  setImmediate(count);
  const at = await Promise.all(answered);
  isOver = true;
  const perTick = [...new Set(at)].map((tick) => at.filter((each) => each === tick).length);
  expect(Math.max(...perTick)).toBeLessThan(30);
});

test('a body whose end comes while it waits to be refused is whole', async () => {
  const text = Buffer.alloc(300_000, 'x');
  const bodies = Array.from({ length: 30 }, () => {
    const source = new PassThrough();
    source.write(text);
    return { source, received: receive(source, { arrivalMs: 20 }).catch(({ code }) => code) };
  });
  // All are late in the same tick of the event loop; most have to wait for a later one.
  const until = performance.now() + 40;
  await new Promise((resolve) => setImmediate(resolve));
  while (performance.now() < until);
  await new Promise((resolve) => setTimeout(resolve, 0));
  for (const { source } of bodies) source.end();
  const answers = await Promise.all(bodies.map(({ received }) => received));
  for (const answer of answers) expect(answer === 'REQUEST_TIMEOUT' || text.equals(answer)).toBe(true);
  expect(answers).toContain('REQUEST_TIMEOUT');
});

test('memory that a body has outgrown, and that of a body that is refused, is freed at once', async () => {
  const allocated: Buffer[] = [];
  const { allocUnsafeSlow } = Buffer;
  vi.spyOn(Buffer, 'allocUnsafeSlow').mockImplementation((size) => {
    const bytes = allocUnsafeSlow.call(Buffer, size);
    allocated.push(bytes);
    return bytes;
  });
  const large = () => allocated.filter(({ buffer }) => buffer.byteLength >= 131_072).length;
  const sent = new PassThrough();
  const body = receive(sent);
  for (let chunk = 0; chunk < 9; chunk++) sent.write(Buffer.alloc(100_000, 'x'));
  sent.end();
  const bytes = await body;
  expect([bytes.length, allocated.length > 4, large()]).toEqual([900_000, true, 1]);
  releaseMemory(bytes);
  expect([bytes.length, large()]).toEqual([0, 0]);

  const refused = new PassThrough();
  const never = receive(refused, { maxBytes: 500_000 });
  for (let chunk = 0; chunk < 9; chunk++) refused.write(Buffer.alloc(100_000, 'x'));
  await expect(never).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  expect(large()).toBe(0);
});

test('a body is refused at its first byte too many, and where there is no room for it', async () => {
  const large = new PassThrough();
  large.end(Buffer.alloc(1_001));
  await expect(receive(large, { maxBytes: 1_000 })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  const much = new PassThrough();
  much.end(Buffer.alloc(10_000));
  await expect(receive(much, { room: 9_999 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('a body that breaks off is refused', async () => {
  const source = new PassThrough();
  const body = receive(source);
  source.write('{');
  source.destroy();
  await expect(body).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('a budget releases what was reserved, once', () => {
  const budget = new ByteBudget();
  const quotas = [
    { name: 'all', maxBytes: 100 },
    { name: 'one', maxBytes: 60 },
  ];
  const [first, second] = [budget.reserve(quotas), budget.reserve(quotas)];
  expect([first.grow(50), second.grow(20), second.grow(10)]).toEqual([true, false, true]);
  first.release();
  first.release();
  expect([budget.reservedIn('all'), budget.reservedIn('one')]).toEqual([10, 10]);
});

/** The same counts by way of the parser, which takes no bounds. */
function countsOf(value: unknown, depth = 1): { depth: number; values: number; names: string[] } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 0, names: [] };
  const inside = Object.values(value).map((item) => countsOf(item, depth + 1));
  return {
    depth: 1 + Math.max(0, ...inside.map((counts) => counts.depth)),
    values: Math.max(1, Object.keys(value).length) + inside.reduce((sum, { values }) => sum + values, 0),
    names: [...(Array.isArray(value) ? [] : Object.keys(value)), ...inside.flatMap(({ names }) => names)],
  };
}

test('JSON within the limits passes, whatever its strings hold and however it is spaced', () => {
  const texts = fc.string({ unit: fc.constantFrom('"', '\\', '{', '[', ',', ':', 'a', '\u{1f600}'), maxLength: 200 });
  const json = fc.letrec((tie) => ({
    value: fc.oneof(texts, fc.integer(), fc.array(tie('value')), fc.dictionary(texts, tie('value'))),
  })).value;
  fc.assert(
    fc.property(json, fc.constantFrom(undefined, ' ', '\n\t'), (value, space) => {
      const text = Buffer.from(JSON.stringify(value, null, space));
      const { depth, values, names } = countsOf(value);
      const fits =
        depth <= JSON_LIMITS.depth && values <= JSON_LIMITS.values && new Set(names).size <= JSON_LIMITS.names;
      expect(jsonExcess(text) === undefined).toBe(fits);
    }),
  );
});

test('JSON is scanned alike in steps of any size', () => {
  const texts = fc.string({ unit: fc.constantFrom('"', '\\', '\\"', '{', ']', '[', ',', ':', 'a'), maxLength: 300 });
  const scanned = (text: string, step: number) => {
    const found: unknown[] = [];
    const note = (what: string) => (at: number, depth: number) => void found.push([what, at, depth]);
    const reader = { opened: note('opened'), closed: note('closed'), separated: note('separated') };
    const scan = new JsonScan(Buffer.from(text), reader);
    while (scan.advance(step));
    return [found, scan.excess];
  };
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 90 }), (text, step) => {
      expect(scanned(text, step)).toEqual(scanned(text, text.length + 1));
    }),
  );
});
