import { expect, test } from 'vitest';
import { RequestDeadline } from '../../src/platform/context/request-deadline.ts';
import type { FairSlots } from '../../src/platform/fair-shares/fair-slots.ts';
import { makeQuerySlots } from '../../src/platform/query-cost/query-slots.ts';
import { aSpace } from '../content/editing/arrange.ts';
import { world } from '../world.ts';
import { intruder } from './processes.ts';

const service = await world({ RATE_LIMIT: '0' });
const { admin, organizationId, url, databaseUrl } = service;
await aSpace(admin, organizationId);

const AT_ONCE = 10;
const AT_ONCE_FOR_ONE = 8;

/** Takes slots and notes in which order they were given. */
function taking(slots: FairSlots) {
  const given: { account: string; slot: Disposable }[] = [];
  const take = async (account: string, work?: RequestDeadline) => {
    given.push({ account, slot: await slots.take(account, work?.signal) });
  };
  return { given, take, settled: () => new Promise((resolve) => setImmediate(resolve)) };
}

test('one account has eight slots at most, and the last ones are for others', async () => {
  const { given, take, settled } = taking(makeQuerySlots());
  for (let turn = 0; turn < 20; turn++) void take('busy');
  await settled();
  expect(given).toHaveLength(AT_ONCE_FOR_ONE);
  for (const account of ['b', 'c', 'd']) void take(account);
  await settled();
  expect(given.slice(AT_ONCE_FOR_ONE).map(({ account }) => account)).toEqual(['b', 'c']);
});

test('the next slot is given to the account that holds the fewest', async () => {
  const { given, take, settled } = taking(makeQuerySlots());
  for (let turn = 0; turn < 20; turn++) void take('busy');
  for (const account of ['b', 'c', 'd']) void take(account);
  await settled();
  expect(given).toHaveLength(AT_ONCE);
  given[0]?.slot[Symbol.dispose]();
  await settled();
  expect(given.at(-1)?.account).toBe('d');
  given[1]?.slot[Symbol.dispose]();
  await settled();
  expect(given.at(-1)?.account).toBe('busy');
});

test('a cancelled operation leaves the queue, and its slot is not taken', async () => {
  const { given, take, settled } = taking(makeQuerySlots());
  for (let turn = 0; turn < AT_ONCE_FOR_ONE; turn++) void take('a');
  const work = new RequestDeadline(60_000);
  const cancelled = take('a', work);
  await settled();
  work.endsWithClient();
  work.clientLeft();
  await expect(cancelled).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  work.done();
  void take('a');
  given[0]?.slot[Symbol.dispose]();
  await settled();
  expect(given).toHaveLength(AT_ONCE_FOR_ONE + 1);
});

test('too many waiting operations of an account are rejected with RATE_LIMITED, those of others wait', async () => {
  const { take, settled } = taking(makeQuerySlots());
  const outcomes = Array.from({ length: 600 }, () =>
    take('flood').then(
      () => 'given',
      (error) => error.code as string,
    ),
  );
  await settled();
  const refused = await Promise.race([Promise.all(outcomes.slice(-80)), settled()]);
  expect(refused).toEqual(Array.from({ length: 80 }, () => 'RATE_LIMITED'));
  let isServed = false;
  void take('other').then(() => {
    isServed = true;
  });
  await settled();
  expect(isServed).toBe(true);
});

const LARGE = `{ organization(id: "${organizationId}") {
  spaces(first: 100) { nodes { id title comments(first: 5) { nodes { id } } } } } }`;

function send(signal?: AbortSignal) {
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: LARGE }),
    ...(signal ? { signal } : {}),
  });
}

test('many more large queries than slots are all answered, in HTTP', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const body = (await (await send()).json()) as { data: { organization: { spaces: { nodes: unknown[] } } } };
      return body.data.organization.spaces.nodes.length;
    }),
  );
  expect(new Set(answers)).toEqual(new Set([1]));
});

test('clients that leave give their slots back, also those that have none yet', async () => {
  await using other = await intruder(databaseUrl);
  await other.lockTable('space');
  const leaving = new AbortController();
  const requests = Array.from({ length: 30 }, () => send(leaving.signal).catch((error: Error) => error.name));
  await expect.poll(() => other.waiting()).toBeGreaterThan(0);
  leaving.abort();
  expect(new Set(await Promise.all(requests))).toEqual(new Set(['AbortError']));
  await expect.poll(() => other.waiting()).toBe(0);
  await other.release();
  expect((await send()).status).toBe(200);
});
