import { beforeEach, expect, test, vi } from 'vitest';
import { OutboundError } from '../../src/platform/outbound/outbound-error.ts';
import { routes } from '../../src/routes.ts';
import { Client } from '../client.ts';
import { world } from '../world.ts';
import { callMutation, callRoute } from './calls.ts';
import { furnish } from './furnish.ts';
import { onlyInRest } from './one-transport.ts';
import { findOperations } from './operations.ts';

const { admin, anonymous, organizationId, app } = await world({ RATE_LIMIT: '0' });
const ids = await furnish(admin, organizationId);

// What a public site gives to all visitors: a token that reads its space.
const address = encodeURIComponent(String(ids.publishedUrl));
const { body: site } = await anonymous.get(`/v1/urls/published?url=${address}`);
const visitor = new Client(anonymous.url, site.apiToken);
const open = { ...ids, space: String(site.space) };

const requested: string[] = [];

beforeEach(() => {
  requested.length = 0;
  vi.spyOn(app.services, 'fetch').mockImplementation(async ({ url }) => {
    requested.push(url);
    throw new OutboundError('FETCH_TIMEOUT', 'Nobody is there.');
  });
});

const URLS = { url: 'https://elsewhere.example/', documentationUrl: 'https://elsewhere.example/' };

const mutations = (await findOperations())
  .map(({ operation }) => operation)
  .filter(({ kind, operationName }) => kind === 'command' && !(operationName in onlyInRest));

const callers: [string, Client][] = [
  ['no token', anonymous],
  ['the token of a public site', visitor],
];

test('the token of a public site reads its space', async () => {
  expect((await visitor.get(`/v1/spaces/${open.space}`)).status).toBe(200);
});

test.each(callers)('with %s, no request to REST makes the service request an address', async (_name, caller) => {
  for (const route of routes.filter(({ operation }) => operation)) {
    await callRoute(caller, route, open, { ...URLS, source: 'zip' });
    expect([route.operationId, requested]).toEqual([route.operationId, []]);
  }
});

test.each(callers)('with %s, no mutation makes the service request an address', async (_name, caller) => {
  for (const operation of mutations) {
    await callMutation(caller, operation, open);
    expect([operation.operationName, requested]).toEqual([operation.operationName, []]);
  }
});

const embed = (by: Client, url: string) => by.get(`/v1/spaces/${open.space}/embed?url=${encodeURIComponent(url)}`);

test('embeds with the token of a public site request well-known services only, and those of members any', async () => {
  await embed(visitor, 'https://elsewhere.example/page');
  expect(requested).toEqual([]);
  await embed(visitor, 'https://youtu.be/one');
  expect(requested.map((url) => new URL(url).href.split('?', 1))).toEqual([['https://www.youtube.com/oembed']]);
  expect((await embed(anonymous, 'https://youtu.be/two')).status).toBe(401);
  await embed(admin, 'https://elsewhere.example/page');
  expect(requested.slice(1)).toEqual(['https://elsewhere.example/page']);
});

test('embeds that anonymous callers can request leave room for those of members', async () => {
  const answers: (() => void)[] = [];
  vi.mocked(app.services.fetch).mockImplementation(({ url }) => {
    requested.push(url);
    return new Promise((_resolve, reject) => answers.push(() => reject(new OutboundError('FETCH_TIMEOUT', 'Nobody.'))));
  });
  let answered = 0;
  const asked = Array.from({ length: 10 }, async (_, n) => {
    const { status } = await embed(visitor, `https://youtu.be/${n}`);
    answered++;
    return status;
  });
  await expect.poll(() => [answers.length, answered]).toEqual([4, 6]);
  const ofMember = embed(admin, 'https://elsewhere.example/other');
  await expect.poll(() => requested.at(-1)).toBe('https://elsewhere.example/other');
  for (const answer of answers) answer();
  expect((await ofMember).status).toBe(200);
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
  expect(requested).toHaveLength(5);
});
