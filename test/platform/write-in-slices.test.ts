import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '../../src/platform/database/session.ts';
import { makeDatabase, type TestDatabase } from '../database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await makeDatabase();
});

afterAll(() => database.drop());

test('a long statement is written over many turns of the event loop, and others of its connection follow it', async () => {
  const client = await openSession(database.url);
  const long = 'ä'.repeat(4_000_000);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const answers = await Promise.all(
    [long, 'short', `${long}.`].map((text) => client.query('select md5($1) as hash, length($1) as length', [text])),
  );
  isOver = true;
  expect(answers.map(({ rows }) => rows[0].length)).toEqual([4_000_000, 5, 4_000_001]);
  expect(answers[0]?.rows[0].hash).toBe((await client.query('select md5($1) as hash', [long])).rows[0].hash);
  expect(turns).toBeGreaterThan((2 * Buffer.byteLength(long)) / 128 / 1_024);
  await client.end();
});

test('a connection that is closed while it writes fails its statement', async () => {
  const client = await openSession(database.url);
  const failing = client.query('select length($1)', ['a'.repeat(20_000_000)]).catch((error: Error) => error);
  setImmediate(() =>
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy(),
  );
  expect(await failing).toBeInstanceOf(Error);
});
