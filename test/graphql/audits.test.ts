import { serverAudits } from 'graphql-http';
import { expect, test } from 'vitest';
import { world } from '../world.ts';

const { url } = await world();

/** What the audit suite of GraphQL over HTTP finds, asked of the running server by a client without a token. */
const audits = serverAudits({ url: `${url}/graphql`, fetchFn: fetch });

test.each(audits)('$id: $name', async ({ fn }) => {
  const result = await fn();
  const { status } = result;
  if (result.status !== 'ok') await result.response.body?.cancel();
  expect({ status, reason: 'reason' in result ? result.reason : undefined }).toEqual({
    status: 'ok',
    reason: undefined,
  });
});

test('the suite has not shrunk', () => {
  const countOf = (level: string) => audits.filter(({ name }) => name.startsWith(`${level} `)).length;
  expect({ must: countOf('MUST'), should: countOf('SHOULD'), may: countOf('MAY') }).toEqual({
    must: 13,
    should: 23,
    may: 25,
  });
});
