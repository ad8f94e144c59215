import { serverAudits } from 'graphql-http';
import { expect, test } from 'vitest';
import { world } from '../world.ts';

const { url } = await world();

/** What the audit suite of GraphQL over HTTP finds, asked of the running server by a client without a token. */
const audits = serverAudits({ url: `${url}/graphql`, fetchFn: fetch });

/** The same by a client that takes streams too, which Yoga answers by its whole way. */
const streaming = serverAudits({
  url: `${url}/graphql`,
  fetchFn: (address: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('accept', `${headers.get('accept') ?? '*/*'}, text/event-stream`);
    return fetch(address, { ...init, headers });
  },
});

test.each([
  ...audits.map((audit) => ({ ...audit, way: 'the short way' })),
  ...streaming.map((audit) => ({ ...audit, way: 'the whole way' })),
])('$id, by $way: $name', async ({ fn }) => {
  const result = await fn();
  const { status } = result;
  if (result.status !== 'ok') await result.response.body?.cancel();
  expect({ status, reason: 'reason' in result ? result.reason : undefined }).toEqual({
    status: 'ok',
    reason: undefined,
  });
});

test('the audit has all of its checks', () => {
  const countOf = (level: string) => audits.filter(({ name }) => name.startsWith(`${level} `)).length;
  expect({ must: countOf('MUST'), should: countOf('SHOULD'), may: countOf('MAY') }).toEqual({
    must: 13,
    should: 23,
    may: 25,
  });
});
