import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { followPages } from '../../src/domain/service/mcp/follow-pages.ts';
import { FairSlots } from '../../src/platform/fair-shares/fair-slots.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import { intruder } from '../limits/processes.ts';
import { spaceWith } from '../publishing/reader-world.ts';
import { settled } from '../settled.ts';
import { follow as followGraph } from '../stream.ts';
import { world } from '../world.ts';
import { McpAgent } from './agent.ts';
import { connected, listen, listening, MODERN } from './sdk-client.ts';

const TIME_LIMIT_MS = 2_500;

const { app, admin, editor, reader, commenter, guest, organizationId, databaseUrl, url, grant } = await world({
  REQUEST_TIMEOUT_MS: String(TIME_LIMIT_MS),
  QUERY_COST_PER_MINUTE: '3000',
});
const { db } = app.services;

const soon = { interval: 20, timeout: 10_000 };

let spaceId = '';
let pageIds: string[] = [];

beforeAll(async () => {
  const pages = Array.from({ length: 40 }, (_, page) => ({ title: `Page ${page}`, document: { markdown: 'Short.' } }));
  ({ spaceId, pageIds } = await spaceWith(admin, organizationId, 'Guides', pages));
});
afterEach(() => void vi.restoreAllMocks());

const uriOf = (pageId: string | undefined, within = '') => `stemma://spaces/${spaceId}${within}/pages/${pageId}`;

let edits = 0;
const write = (pageId: string | undefined) => ({
  updatePage: { pageId, document: { markdown: `Edited for the ${++edits}. time.` } },
});
const edit = (...changes: object[]) => editor.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id }');

const newChangeRequest = async (): Promise<string> =>
  (await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }')).changeRequest.id;

const editDraft = (changeRequestId: string, ...changes: object[]) =>
  editor.mutate('updateChangeRequestContent', { changeRequestId, changes }, 'pageIds');

const follow = async (client: typeof reader, uris: string[]) => {
  await settled(db);
  return listen(await connected(client, MODERN), uris);
};

/** Opens a stream of events, and returns what closes it. */
const streams: Record<string, () => Promise<() => unknown>> = {
  async '/mcp'() {
    const { subscription } = await follow(reader, [uriOf(pageIds[0])]);
    return () => subscription.close();
  },
  async GraphQL() {
    const query = 'subscription ($id: ID!) { spaceUpdated(id: $id) { title } }';
    const stream = await followGraph(app, reader, { query, variables: { id: spaceId } });
    return () => stream.close();
  },
};

test.each(Object.entries(streams))('statements of a stream of %s count for its account', async (_name, open) => {
  const close = await open();
  const accounts = new Set<string>();
  const { take } = FairSlots.prototype;
  vi.spyOn(FairSlots.prototype, 'take').mockImplementation(function (this: FairSlots, account, ...rest) {
    accounts.add(String(account));
    return take.call(this, account, ...rest);
  });
  await edit(write(pageIds[0]));
  await expect.poll(() => accounts, soon).toContain(reader.userId);
  await close();
});

test.each(Object.entries(streams))(
  'a statement of a stream of %s is cancelled when its client leaves',
  async (_name, open) => {
    await using other = await intruder(databaseUrl);
    const close = await open();
    await other.lockTable('event');
    await expect.poll(() => other.waiting(), soon).toBe(1);
    await close();
    await expect.poll(() => other.waiting(), { interval: 20, timeout: 1_500 }).toBe(0);
  },
);

test('a stream lives longer than the time limit of requests', async () => {
  const { updated } = await follow(reader, [uriOf(pageIds[0])]);
  const opened = performance.now();
  await expect
    .poll(() => performance.now() - opened > TIME_LIMIT_MS + 500, { interval: 100, timeout: 10_000 })
    .toBe(true);
  await edit(write(pageIds[0]));
  await expect.poll(() => updated, soon).toEqual([uriOf(pageIds[0])]);
});

test('an answer that has begun as a stream ends at the time limit, with the error', async () => {
  const changeRequestId = await newChangeRequest();
  await using other = await intruder(databaseUrl);
  await other.lockRow('change_request', changeRequestId);
  const client = await connected(editor, MODERN);
  const told: object[] = [];
  const given = { spaceId, changeRequestId, subject: 'Late' };
  const result = await client.callTool(
    { name: 'updateChangeRequest', arguments: given },
    { onprogress: (progress) => void told.push(progress) },
  );
  expect(told).not.toEqual([]);
  expect([result.isError, JSON.stringify(result.content)]).toEqual([
    true,
    expect.stringContaining(`took longer than ${TIME_LIMIT_MS} ms`),
  ]);
});

const padded = (body: object, bytes: number) => JSON.stringify(body).padEnd(bytes);

test('the request of a stream has at most 256 kB', async () => {
  const send = async (path: string, body: string, headers: Record<string, string>) => {
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${reader.token}`, ...headers },
      body,
      signal: leaving.signal,
    });
    return response.status === 200 ? [200] : [response.status, await response.text()];
  };
  const { message, headers: ofMessage } = listening([uriOf(pageIds[0])]);
  const query = `subscription { spaceUpdated(id: "${spaceId}") { title } }`;
  for (const [path, body, headers] of [
    ['/mcp', message, ofMessage],
    ['/graphql', { query }, { accept: 'text/event-stream' }],
  ] as const) {
    expect(await send(path, padded(body, 262_144), headers)).toEqual([200]);
    expect(await send(path, padded(body, 262_145), headers)).toEqual([
      413,
      expect.stringContaining('at most 262144 bytes. Its body has 262145'),
    ]);
  }
});

test('an edit takes few statements, however many pages are followed', async () => {
  const changeRequestId = await newChangeRequest();
  const within = `/change-requests/${changeRequestId}`;
  await editDraft(changeRequestId, write(pageIds[1]));
  const uris = pageIds.flatMap((pageId) => [uriOf(pageId), uriOf(pageId, within)]);
  const { updated, followed } = await follow(reader, uris);
  expect(followed).toEqual(uris);
  const entered = vi.spyOn(FairSlots.prototype, 'take');
  const statementsOf = async (act: () => Promise<unknown>, told: string[]) => {
    const before = entered.mock.calls.length;
    await act();
    await expect.poll(() => updated, soon).toEqual(told);
    updated.length = 0;
    return entered.mock.calls.length - before;
  };
  expect(await statementsOf(() => edit(write(pageIds[0])), [uriOf(pageIds[0])])).toBeLessThan(30);
  const draft = await statementsOf(() => editDraft(changeRequestId, write(pageIds[0])), [uriOf(pageIds[0], within)]);
  expect(draft).toBeLessThan(30);
});

test('pages of a change request are told of when their text changes, wherever they are moved', async () => {
  const changeRequestId = await newChangeRequest();
  const within = `/change-requests/${changeRequestId}`;
  const [parent, child, other] = (
    await editDraft(
      changeRequestId,
      { insertPage: { title: 'Parent', ref: 'parent', document: { markdown: 'Parent.' } } },
      { insertPage: { title: 'Child', parentId: 'parent', document: { markdown: 'Child.' } } },
      { insertPage: { title: 'Other', document: { markdown: 'Other.' } } },
    )
  ).pageIds as [string, string, string];
  const uris = [parent, child, other, pageIds[0]].map((pageId) => uriOf(pageId, within));
  const { updated, followed } = await follow(reader, uris);
  expect(followed).toEqual(uris);
  const told = async (...pages: (string | undefined)[]) => {
    await expect.poll(() => updated, soon).toEqual(pages.map((pageId) => uriOf(pageId, within)));
    updated.length = 0;
  };

  await editDraft(changeRequestId, { updatePage: { pageId: parent, title: 'Renamed' } });
  await editDraft(changeRequestId, { updatePage: { pageId: child, parentId: other } });
  await editDraft(changeRequestId, write(child));
  await told(child);
  await editDraft(changeRequestId, { updatePage: { pageId: other, parentId: pageIds[5] } }, write(child), write(other));
  await told(child, other);
  await editDraft(changeRequestId, { deletePage: { pageId: parent } });
  await editDraft(changeRequestId, write(pageIds[0]));
  await told(pageIds[0]);
  await edit(write(pageIds[0]));
  await editDraft(changeRequestId, write(other));
  await told(other);
});

test('rights are checked before each notification, also of pages that one edit has changed', async () => {
  const own = await spaceWith(admin, organizationId, 'Own', [
    { title: 'One', document: { markdown: 'One.' } },
    { title: 'Two', document: { markdown: 'Two.' } },
  ]);
  await admin.mutate('updateSpace', { spaceId: own.spaceId, defaultLevel: 'NONE' }, 'space { id }');
  for (const each of [own.spaceId, spaceId]) await grant(each, guest.userId, 'read');
  const uris = own.pageIds.map((pageId) => `stemma://spaces/${own.spaceId}/pages/${pageId}`);
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const actor = { kind: 'user', userId: guest.userId, isOperator: false, by: 'token' } as const;
  const renew = async () => ({ ...jobContext(app.services, 'test'), actor });
  await settled(db);
  // A client cannot tell how far the service has come, so this one reads what the service would send.
  const { changes } = await followPages(await renew(), [...uris, uriOf(pageIds[0])], { renew, signal: ending.signal });
  await admin.mutate('updateSpaceContent', { spaceId: own.spaceId, changes: own.pageIds.map(write) }, 'pageIds');
  expect((await changes.next()).value).toBe(uris[0]);
  await admin.delete(`/v1/spaces/${own.spaceId}/permissions/users/${guest.userId}`);
  const next = changes.next();
  await edit(write(pageIds[0]));
  expect((await next).value).toBe(uriOf(pageIds[0]));
});

test('a stream waits while its account has used up its allowance, and others do not', async () => {
  const agent = new McpAgent(commenter);
  const waiting = await follow(commenter, [uriOf(pageIds[0])]);
  const other = await follow(reader, [uriOf(pageIds[0])]);
  // Each costs 100, which is allowed when nothing is left.
  for (let count = 0; count < 60; count++) await commenter.get(`/v1/spaces/${spaceId}/comments?limit=100`);
  await edit(write(pageIds[0]));
  await expect.poll(() => other.updated, soon).toEqual([uriOf(pageIds[0])]);
  expect(waiting.updated).toEqual([]);
  const { status } = await agent.send({ method: 'tools/list' });
  expect(status).toBe(200);
  const refused = await commenter.get(`/v1/spaces/${spaceId}/comments?limit=1000`);
  expect(refused.status).toBe(429);
  expect(waiting.updated).toEqual([]);
});
