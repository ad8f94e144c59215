import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { reportProgress } from '../../src/platform/mcp/progress.ts';
import { intruder } from '../limits/processes.ts';
import { spaceWith } from '../publishing/reader-world.ts';
import { world } from '../world.ts';
import { McpAgent } from './agent.ts';
import { connected, MODERN } from './sdk-client.ts';

const { app, admin, organizationId, databaseUrl } = await world({ ALLOW_PRIVATE_NETWORK: '1' });
const { db } = app.services;

/** Requests for files that wait for an answer. */
const waiting: (() => void)[] = [];
let left = 0;
const files = createServer((request, response) => {
  response.on('close', () => {
    if (!response.writableFinished) left++;
  });
  const answer = () => response.end(`File ${request.url}`);
  if (request.url === '/slow.txt') waiting.push(answer);
  else answer();
});
let origin = '';
let name = { spaceId: '', changeRequestId: '' };

beforeAll(async () => {
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  const { spaceId } = await spaceWith(admin, organizationId, 'Guides', [{ title: 'One' }]);
  const { id } = await new McpAgent(admin).call('createChangeRequest', { spaceId, subject: 'Files' });
  name = { spaceId, changeRequestId: id };
});
afterAll(() => new Promise((resolve) => files.close(resolve)));

const soon = { interval: 20, timeout: 10_000 };

const adding = (...names: string[]) => ({
  name: 'addFilesFromUrls',
  arguments: { ...name, changes: [{ files: names.map((file) => ({ name: file, url: `${origin}/${file}` })) }] },
});

const fileCount = async () => {
  const { body } = await admin.get(`/v1/spaces/${name.spaceId}/change-requests/${name.changeRequestId}/content/files`);
  return body.items.length as number;
};

test.each([undefined, MODERN] as const)('a call tells how far it has come, while it runs (%s)', async (version) => {
  const client = await connected(admin, version);
  const before = await fileCount();
  const told: object[] = [];
  const onprogress = (progress: object) => void told.push(progress);
  const call = client.callTool(adding('a.txt', 'slow.txt', 'b.txt'), { onprogress });
  await expect.poll(() => told, soon).toEqual([{ progress: 1, total: 3, message: 'Stored files: 1 of 3.' }]);
  await expect.poll(() => waiting.length, soon).toBe(1);
  waiting.pop()?.();
  expect((await call).isError).not.toBe(true);
  expect(await fileCount()).toBe(before + 3);
  const numbers = told.map((each) => (each as { progress: number }).progress);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
});

test('a call that waits before its first step tells the seconds, and then goes on with the steps', async () => {
  const client = await connected(admin, MODERN);
  await using other = await intruder(databaseUrl);
  await other.lockTable('event');
  const told: { progress: number; total?: number; message?: string }[] = [];
  const onprogress = (progress: (typeof told)[0]) => void told.push(progress);
  const call = client.callTool(adding('c.txt', 'slow.txt'), { onprogress });
  await expect.poll(() => told.at(-1)?.message, soon).toBe('Running for 2 s.');
  await other.release();
  await expect.poll(() => waiting.length, soon).toBe(1);
  await expect.poll(() => told.at(-1)?.message, soon).toBe('Stored files: 1 of 2.');
  waiting.pop()?.();
  expect((await call).isError).not.toBe(true);
  const numbers = told.map(({ progress }) => progress);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  const { progress = 0, total = 0 } = told.find(({ message }) => message === 'Stored files: 1 of 2.') ?? {};
  expect(total - progress).toBe(1);
});

test('a step that takes long is told again within ten seconds, with a higher number than before', async () => {
  const client = await connected(admin, MODERN);
  const told: { progress: number; total?: number; message?: string }[] = [];
  const onprogress = (progress: (typeof told)[0]) => void told.push(progress);
  const call = client.callTool(adding('a.txt', 'slow.txt'), { onprogress });
  const long = () => told.filter(({ message }) => /^Stored files: 1 of 2, for \d+ s\.$/.test(message ?? ''));
  await expect.poll(() => long().length, { interval: 50, timeout: 25_000 }).toBe(1);
  waiting.pop()?.();
  expect((await call).isError).not.toBe(true);
  for (const [index, { progress, total = Number.POSITIVE_INFINITY }] of told.entries()) {
    expect(progress).toBeGreaterThan(told[index - 1]?.progress ?? -1);
    expect(progress).toBeLessThan(total);
  }
}, 60_000);

test('a step of minutes is told within every ten seconds, and its number rises and stays below that of the next step', () => {
  vi.useFakeTimers();
  const told: { at: number; progress: number }[] = [];
  const report = reportProgress(({ progress }) => void told.push({ at: performance.now(), progress }));
  const began = performance.now();
  report.note({ what: 'Stored files', done: 1, total: 3 });
  vi.advanceTimersByTime(10 * 60_000);
  report.end();
  expect(told.length).toBeGreaterThan(60);
  for (const [index, { at, progress }] of told.entries()) {
    const before = told[index - 1] ?? { at: began, progress: 0 };
    expect(at - before.at).toBeLessThanOrEqual(10_000);
    expect(progress).toBeGreaterThan(before.progress);
    expect(progress).toBeLessThan(2);
  }
  vi.useRealTimers();
});

test('a quick call sends no notification, and without a token there is none', async () => {
  const client = await connected(admin, MODERN);
  const told: object[] = [];
  await client.callTool(
    { name: 'listSpaces', arguments: { organizationId } },
    { onprogress: (p) => void told.push(p) },
  );
  expect(told).toEqual([]);
  const agent = new McpAgent(admin);
  const call = agent.send({ method: 'tools/call', params: adding('slow.txt') });
  await expect.poll(() => waiting.length, soon).toBe(1);
  setTimeout(() => waiting.pop()?.(), 2_200);
  const { body } = await call;
  expect([body.method, body.result.isError]).toEqual([undefined, undefined]);
});

test('closing the answer cancels a call: the work stops, and nothing is written', async () => {
  const client = await connected(admin, MODERN);
  const before = await fileCount();
  const cancelling = new AbortController();
  const call = client.callTool(adding('slow.txt', 'a.txt'), { signal: cancelling.signal, onprogress: () => {} });
  await expect.poll(() => waiting.length, soon).toBe(1);
  const wasLeft = left;
  cancelling.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => left, soon).toBe(wasLeft + 1);
  waiting.pop();
  expect(await fileCount()).toBe(before);
});

/** Number of statements that wait for a lock. */
async function blockedCount(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
}

test('a call that writes is undone when its answer is closed', async () => {
  const client = await connected(admin, MODERN);
  const cancelling = new AbortController();
  await db.transaction().execute(async (holding) => {
    await sql`select from change_request where id = ${name.changeRequestId} for update`.execute(holding);
    const call = client.callTool(
      { name: 'updateChangeRequest', arguments: { ...name, subject: 'Cancelled' } },
      { signal: cancelling.signal },
    );
    await expect.poll(blockedCount, soon).toBe(1);
    cancelling.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(blockedCount, soon).toBe(0);
  });
  expect((await new McpAgent(admin).call('getChangeRequest', name)).subject).toBe('Files');
});
