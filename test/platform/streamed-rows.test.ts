import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../../src/database.ts';
import { abortable } from '../../src/platform/database/abortable.ts';
import { administer, makeDatabase } from '../database.ts';

const database = await makeDatabase();
const { db, close } = await connect(database.url, { poolSize: 1 });

afterAll(async () => {
  await close();
  await database.drop();
});

/** Rows with the numbers 1 to 2,500, of which the one with the number `failing` cannot be computed. */
const numbers = (failing = 0) =>
  db
    .selectFrom(
      sql<{
        aNumber: number;
      }>`(select n, 1 / (n - ${failing}::integer) as a_number from generate_series(1, 2500) n)`.as('row'),
    )
    .selectAll()
    .stream(1_000);

/** The process of the server that runs the next statement. */
const serverProcess = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;

async function countRows(rows: AsyncIterable<unknown>, onRow?: (count: number) => unknown): Promise<number> {
  let count = 0;
  for await (const _ of rows) await onRow?.(++count);
  return count;
}

test('rows arrive in chunks, in order and with the names of properties', async () => {
  const turns: number[] = [];
  let turn = 0;
  let ticking = setImmediate(function tick() {
    turn++;
    ticking = setImmediate(tick);
  });
  const seen: unknown[] = [];
  for await (const row of numbers()) {
    seen.push(row);
    if (turns.at(-1) !== turn) turns.push(turn);
  }
  clearImmediate(ticking);
  expect(seen.length).toBe(2500);
  expect([seen[0], seen[2499]]).toEqual([
    { n: 1, aNumber: 1 },
    { n: 2500, aNumber: 0 },
  ]);
  expect(turns.length).toBeGreaterThanOrEqual(3);
});

test('an error after the first chunk reaches the reader, and the connection goes on', async () => {
  const before = await serverProcess();
  let read = 0;
  const failing = countRows(numbers(1_500), (count) => {
    read = count;
  });
  await expect(failing).rejects.toThrow('division by zero');
  expect([read, await serverProcess()]).toEqual([1_000, before]);
});

test('a reader that stops early leaves the connection to others', async () => {
  const before = await serverProcess();
  for await (const row of numbers()) {
    expect(row).toEqual({ n: 1, aNumber: 1 });
    break;
  }
  expect(await serverProcess()).toBe(before);
});

test('a cancellation between two chunks ends the reading, and the connection goes on', async () => {
  const before = await serverProcess();
  const cancellation = new AbortController();
  const reading = abortable(cancellation.signal, () =>
    countRows(numbers(), (count) => count === 1_000 && cancellation.abort(new Error('The client left.'))),
  );
  await expect(reading).rejects.toThrow('The client left.');
  expect(await serverProcess()).toBe(before);
});

test('a connection that breaks between two chunks is an error, and is replaced', async () => {
  const before = await serverProcess();
  const reading = countRows(numbers(), async (count) => {
    if (count === 1) await administer(database.url, `select pg_terminate_backend(${before})`);
  });
  await expect(reading).rejects.toThrow(/terminat/);
  expect(await serverProcess()).not.toBe(before);
});
