import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { makeSpecServer, specifying } from './arrange.ts';

const here = await world({ WORKERS: '1' });
const { put } = specifying(here);

test('private addresses are never requested', async () => {
  const server = await makeSpecServer({});
  expect(await put('private', { url: `${server.url}/api.json` })).toMatchObject({
    lastProcessErrorCode: 'FETCH_ERROR',
  });
  expect(server.asked).toEqual([]);
});
