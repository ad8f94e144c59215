import { parse } from 'graphql';
import { expect, test, vi } from 'vitest';
import { startSession } from '../../src/domain/people/sessions/index.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import { transact } from '../../src/platform/operation/transact.ts';
import { freePort } from '../people/sso/identity-provider.ts';
import { settled } from '../settled.ts';
import { world } from '../world.ts';
import { openGraphiql } from './graphiql-page.ts';

const port = await freePort();
const { url, admin, reader, app, organizationId } = await world({
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
});
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
  const { secret } = await transact(jobContext(app.services, 'test'), (ctx) =>
    startSession(ctx, { userId: reader.userId }),
  );
  const page = await openGraphiql(url, { cookie: `stemma_session=${secret}` });
  await expect.poll(() => page.drawn).toHaveLength(1);
  expect([page.prompt.open, page.who.textContent]).toEqual([false, 'Reader']);
  expect(new Set(page.requests.map(({ authorization }) => authorization))).toEqual(new Set([null]));
});

test('opens with the operations of the map as tabs, with ids of what the caller can see, and its queries run', async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs', empty: true }, 'space { id }');
  const changes = [{ insertPage: { title: 'Start', document: { markdown: 'A page.' } } }];
  const { pageIds } = await admin.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds');
  const { changeRequest } = await admin.mutate('createChangeRequest', { spaceId: space.id }, 'changeRequest { id }');
  const body = { markdown: 'A question' };
  const { comment } = await admin.mutate('postComment', { spaceId: space.id, body }, 'comment { id }');
  const page = await openGraphiql(url, { stored: token });
  await expect.poll(() => page.drawn).toHaveLength(1);
  const [options] = page.drawn;
  const tabs = options?.defaultTabs ?? [];
  const nameOf = ({ query }: { query: string }) => /^\w+ (\w+)/.exec(query)?.[1];
  const queries = ['Home', 'Sidebar', 'Page', 'Search', 'SearchEverywhere', 'Link', 'History'].concat(
    'ChangeRequests',
    'Review',
    'Comments',
  );
  expect(tabs.map(nameOf)).toEqual([...queries, 'NewSpace', 'Propose', 'Post']);
  expect([options?.query, options?.shouldPersistHeaders, tabs[0]?.variables]).toEqual([undefined, false, undefined]);
  expect(JSON.parse(tabs[2]?.variables ?? '')).toEqual({ spaceId: space.id, path: 'start' });
  for (const { query, variables = '{}' } of tabs.slice(0, queries.length)) {
    const answer = await options?.fetcher({ query, variables: JSON.parse(variables) }, { documentAST: parse(query) });
    expect([query, answer]).toEqual([query, { data: expect.anything() }]);
    expect([query, Object.values((answer as { data: object }).data)]).not.toEqual([query, [null]]);
  }
  const given = Object.assign({}, ...tabs.slice(queries.length).map(({ variables = '{}' }) => JSON.parse(variables)));
  expect(given).toEqual({
    organizationId,
    spaceId: space.id,
    pageId: pageIds[0],
    changeRequestId: changeRequest.id,
    commentId: comment.id,
    userId: reader.userId,
    markdown: expect.any(String),
    conflictId: '',
  });
});

test('without anything to see, the variables of the tabs are empty', async () => {
  const page = await openGraphiql(url, { stored: 'none' });
  await expect.poll(() => page.drawn).toHaveLength(1);
  expect(JSON.parse(page.drawn[0]?.defaultTabs[1]?.variables ?? '')).toEqual({ spaceId: '' });
});

test('a link opens in a tab of its own before the others, and leaves the address', async () => {
  const [query, variables] = ['query Linked($id: ID!) { space(id: $id) { title } }', '{"id":"space_1"}'];
  const search = `?${new URLSearchParams({ query, variables })}`;
  const tabs = new Map<string, string>();
  const page = await openGraphiql(url, { stored: 'none', search, tabs });
  expect(page.drawn[0]?.defaultTabs).toHaveLength(14);
  expect(page.drawn[0]?.defaultTabs[0]).toEqual({ query, variables });
  expect(Object.fromEntries(tabs)).toEqual({ 'graphiql:query': query, 'graphiql:variables': variables });
  expect(page.address()).toBe('/graphql');
});

test('a reload opens the tab that was chosen last', async () => {
  const state = { tabs: [{ query: 'query A { __typename }', variables: '{}' }, { query: 'query B { __typename }' }] };
  const tabs = new Map([
    ['graphiql:tabState', JSON.stringify({ ...state, activeTabIndex: 1 })],
    ['graphiql:query', 'query A { __typename }'],
    ['graphiql:variables', '{}'],
  ]);
  const page = await openGraphiql(url, { stored: 'none', tabs });
  expect(page.drawn).toMatchObject([{ query: undefined }]);
  tabs.delete('graphiql:tabState');
  expect(Object.fromEntries(tabs)).toEqual({ 'graphiql:query': 'query B { __typename }' });
});

test('a document runs while GraphiQL still names the operation of the tab before', async () => {
  const page = await openGraphiql(url, { stored: token });
  await expect.poll(() => page.drawn).toHaveLength(1);
  const request = { query: 'query Q { viewer { displayName } }', operationName: 'Home' };
  expect(await page.drawn[0]?.fetcher(request, { documentAST: parse('query Home { __typename }') })).toEqual({
    data: { viewer: { displayName: 'Reader' } },
  });
});

test('errors keep their locations in the document as it was written', async () => {
  const page = await openGraphiql(url, { stored: token });
  await expect.poll(() => page.drawn).toHaveLength(1);
  const ask = (query: string) => page.drawn[0]?.fetcher({ query, operationName: 'Q' }, { documentAST: undefined });
  expect(await ask('query Other { __typename }\n\nquery Q {\n      nothing\n}')).toMatchObject({
    errors: [{ locations: [{ line: 4, column: 7 }] }],
  });
});

test('subscriptions show each result until they are ended', async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Followed' }, 'space { id }');
  const page = await openGraphiql(url, { stored: token });
  await expect.poll(() => page.drawn).toHaveLength(1);
  const query = 'subscription Follow($id: ID!) { spaceUpdated(id: $id) { title } }';
  const request = { query, variables: { id: space.id }, operationName: 'Follow' };
  await settled(app.services.db);
  const subscribed = vi.spyOn(app.services.eventSignal, 'subscribe');
  const results = page.drawn[0]?.fetcher(request, { documentAST: parse(query) }) as AsyncIterableIterator<unknown>;
  const first = results.next();
  await expect.poll(() => subscribed.mock.calls.length).toBe(1);
  await admin.mutate('updateSpace', { spaceId: space.id, title: 'Renamed' }, 'space { id }');
  expect(await first).toMatchObject({ value: { data: { spaceUpdated: { title: 'Renamed' } } } });
  const waiting = results.next();
  await results.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
});
