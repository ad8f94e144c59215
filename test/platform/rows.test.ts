import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../../src/database.ts';
import { makeDatabase } from '../database.ts';

const database = await makeDatabase();
const { db, pipelined, pool, close } = await connect(database.url, { poolSize: 1 });

afterAll(async () => {
  await close();
  await database.drop();
});

/** Runs a statement several times, since it is described only the first time. */
async function rowsOf(statement: ReturnType<typeof sql>, runs = 3): Promise<unknown[]> {
  const results: unknown[][] = [];
  for (const on of [db, pipelined])
    for (let run = 0; run < runs; run++) results.push((await statement.execute(on)).rows);
  for (const rows of results) expect(rows).toEqual(results[0]);
  return results[0] ?? [];
}

test('values of every type are read from their bytes', async () => {
  const [row] = await rowsOf(sql`
    select null::text as nothing, ''::text as empty, 'a'::varchar as some, 'b'::char(3) as padded, 'c'::name as name,
      0::integer as zero, -17::integer as negative, 2147483647::integer as max, (-2147483648)::integer as min,
      -3::smallint as small, 9007199254740991::bigint as safe, (-9007199254740991)::bigint as unsafe, null::bigint as no_count,
      true as yes, false as no, null::boolean as maybe, 1.5::double precision as half, 12.50::numeric as exact,
      '{"a": [1, "é"]}'::jsonb as json, array['x', null, 'y,z'] as list, '\\x00ff'::bytea as bytes`);
  expect(row).toEqual({
    nothing: null,
    empty: '',
    some: 'a',
    padded: 'b  ',
    name: 'c',
    zero: 0,
    negative: -17,
    max: 2147483647,
    min: -2147483648,
    small: -3,
    safe: Number.MAX_SAFE_INTEGER,
    unsafe: Number.MIN_SAFE_INTEGER,
    noCount: null,
    yes: true,
    no: false,
    maybe: null,
    half: 1.5,
    exact: '12.50',
    json: { a: [1, 'é'] },
    list: ['x', null, 'y,z'],
    bytes: Buffer.from([0, 255]),
  });
});

test('times have milliseconds, whatever PostgreSQL leaves out', async () => {
  const [row] = await rowsOf(sql`
    select '2026-01-31 10:20:30+00'::timestamptz as whole, '2026-01-31 10:20:30.5+00'::timestamptz as tenth,
      '2026-01-31 10:20:30.45+00'::timestamptz as hundredth, '2026-01-31 10:20:30.456+00'::timestamptz as thousandth,
      '2026-01-31 10:20:30.456789+00'::timestamptz as fine, '2026-01-31 12:20:30.001+02'::timestamptz as elsewhere,
      null::timestamptz as never`);
  expect(row).toEqual({
    whole: '2026-01-31T10:20:30.000Z',
    tenth: '2026-01-31T10:20:30.500Z',
    hundredth: '2026-01-31T10:20:30.450Z',
    thousandth: '2026-01-31T10:20:30.456Z',
    fine: '2026-01-31T10:20:30.456789Z',
    elsewhere: '2026-01-31T10:20:30.001Z',
    never: null,
  });
});

test('of columns with the same name, the last one counts, whatever lies between them', async () => {
  const rows = await rowsOf(sql`
    select 1 as a, null::text as b, 'first' as c, 2 as a, 'last' as c from generate_series(1, 2)`);
  expect(rows).toEqual([
    { a: 2, b: null, c: 'last' },
    { a: 2, b: null, c: 'last' },
  ]);
});

test('texts that occur again are the same, and no others are taken for them', async () => {
  // The bytes of "é" in UTF-8 are the characters of "Ã©". Texts have lengths around that up to which they are kept.
  const texts = [
    'é',
    'Ã©',
    'Ã',
    '©',
    '',
    'a',
    'ab',
    '👍',
    'x'.repeat(63),
    'x'.repeat(64),
    'x'.repeat(65),
    'é'.repeat(32),
  ];
  const many = Array.from({ length: 3_000 }, (_, index) => texts[index % texts.length] ?? '');
  const distinct = Array.from({ length: 3_000 }, (_, index) => `comment_${index % 2_900}`);
  const rows = await rowsOf(
    sql`select * from unnest(${many}::text[], ${distinct}::text[], ${many.toReversed()}::text[]) as each(one, other, third)`,
  );
  expect(rows).toEqual(
    many.map((one, index) => ({ one, other: distinct[index], third: many[many.length - 1 - index] })),
  );
});

test("rows of the driver's own queries are the same", async () => {
  const text =
    "select -1 as one_two, null::text as none, 'é'::text as text, ''::text as empty, '2026-01-31 10:20:30+00'::timestamptz as at";
  const values = { one_two: -1, none: null, text: 'é', empty: '', at: '2026-01-31T10:20:30.000Z' };
  expect((await pool.query(text)).rows).toEqual([values]);
  expect((await pool.query({ text, rowMode: 'array' })).rows).toEqual([Object.values(values)]);
});

test('rows that arrive in many pieces are whole', async () => {
  const rows = await rowsOf(sql`
    select n, repeat('é' || n, 4000) as long, 'comment_' || n as id from generate_series(1, 300) n`);
  expect(rows).toEqual(
    Array.from({ length: 300 }, (_, index) => ({
      n: index + 1,
      long: `é${index + 1}`.repeat(4_000),
      id: `comment_${index + 1}`,
    })),
  );
});
