import { expect, test } from 'vitest';
import { startSession } from '../../src/domain/people/sessions/index.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import { transact } from '../../src/platform/operation/transact.ts';
import { freePort } from '../people/sso/identity-provider.ts';
import { world } from '../world.ts';
import { openGraphiql } from './graphiql-page.ts';

const port = await freePort();
const { url, reader, app } = await world({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
const token = String(reader.token);

test('GraphiQL waits for a token that is valid, and sends it with each request', async () => {
  const page = await openGraphiql(url);
  await expect.poll(() => page.prompt.open).toBe(true);
  expect(page.drawn).toEqual([]);
  page.enter('stemma_misspelled');
  await expect.poll(() => page.alert.textContent).toMatch(/token/);
  expect([page.prompt.open, page.drawn, page.stored()]).toEqual([true, [], undefined]);

  page.enter(`  Bearer ${token} `);
  await expect.poll(() => page.drawn).toHaveLength(1);
  expect([page.prompt.open, page.who.textContent, page.stored(), page.alert.textContent]).toEqual([
    false,
    'Reader',
    token,
    '',
  ]);
  expect(await (await page.send()).json()).toEqual({ data: { viewer: { displayName: 'Reader' } } });
  await page.send({ authorization: 'Bearer of-the-headers' });
  expect(page.requests.slice(-2).map(({ authorization }) => authorization)).toEqual([
    `Bearer ${token}`,
    'Bearer of-the-headers',
  ]);
});

test('a token that the tab remembers is used at once, and asked for again once it is not valid', async () => {
  const page = await openGraphiql(url, { stored: token });
  await expect.poll(() => page.drawn).toHaveLength(1);
  expect([page.prompt.open, page.who.textContent]).toEqual([false, 'Reader']);

  const stale = await openGraphiql(url, { stored: 'stemma_revoked' });
  await expect.poll(() => stale.prompt.open).toBe(true);
  expect([stale.drawn, stale.alert.textContent]).toEqual([[], expect.stringMatching(/token/)]);
});

test('GraphiQL can be used without a token, and with one later', async () => {
  const page = await openGraphiql(url);
  await expect.poll(() => page.prompt.open).toBe(true);
  page.click('[data-without]');
  expect([page.prompt.open, page.drawn.length, page.who.textContent]).toEqual([false, 1, 'No token']);
  await page.send();
  expect(page.requests.at(-1)).toEqual({ authorization: null });

  page.click('[data-change]');
  expect(page.prompt.open).toBe(true);
  page.enter(token);
  // What GraphiQL has loaded without the token is loaded again.
  await expect.poll(page.reloads).toBe(1);
  expect([page.drawn.length, page.stored()]).toEqual([1, token]);
});

test('a session of the browser is used without asking for a token', async () => {
  const { secret } = await transact(jobContext(app.services, 'test'), { id: undefined, versions: undefined }, (ctx) =>
    startSession(ctx, { userId: reader.userId }),
  );
  const page = await openGraphiql(url, { cookie: `stemma_session=${secret}` });
  await expect.poll(() => page.drawn).toHaveLength(1);
  expect([page.prompt.open, page.who.textContent, page.requests]).toEqual([false, 'Reader', [{ authorization: null }]]);
});

test('variables in the address are those that GraphiQL opens with', async () => {
  const variables = '{"id":"space_1"}';
  const page = await openGraphiql(url, { stored: 'none', search: `?variables=${encodeURIComponent(variables)}` });
  expect(page.drawn).toMatchObject([{ endpoint: '/graphql', shouldPersistHeaders: false, variables }]);
});
