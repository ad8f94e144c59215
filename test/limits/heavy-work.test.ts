import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import type { Kind } from '../../src/platform/heavy-work/kinds.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import type { Client } from '../client.ts';
import { aSpace } from '../content/editing/arrange.ts';
import { importing, zipOf } from '../content/import-engine/arrange.ts';
import { world } from '../world.ts';

const service = await world({ RATE_LIMIT: '0' });
const { admin, editor, outsider, organizationId, otherOrganizationId, app, url } = service;
const ours = await aSpace(admin, organizationId);
const theirs = await aSpace(outsider, otherOrganizationId);
const { heavyWork } = app.services;

afterEach(() => vi.restoreAllMocks());

const large = (seed: number) =>
  `# ${seed}\n\n${`Words of **${seed}** and \`code\` [link](https://example.com).\n\n`.repeat(120)}`;

/** Saves a large page. */
const save = (by: Client, { spaceId, pageId }: typeof ours, seed: number) =>
  by
    .mutate(
      'updateSpaceContent',
      { spaceId, changes: [{ updatePage: { pageId, document: { markdown: large(seed) } } }] },
      'space { id }',
    )
    .then(
      () => 'saved',
      (error) => String(error.code),
    );

/** The machine may be busy with other tests. */
const PATIENCE = { timeout: 30_000 };

/** A number of the metrics, summed over their labels but for the given ones. */
async function metric(name: string, labels = ''): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${admin.token}` } });
  return [...(await response.text()).matchAll(new RegExp(`^${name}\\{[^}]*${labels}[^}]*\\} (\\d+)`, 'gm'))].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}

/** Takes the place of the other organization, so that its work waits until the slot is free. */
const occupy = (kind: Kind = 'read-body') =>
  heavyWork.begin(kind, { ctx: jobContext(app.services, 'test'), organizationId: otherOrganizationId });

test('a flood of one organization is refused to it only, and others are served', async () => {
  const slot = await occupy();
  let saved = 0;
  const flood = Array.from({ length: 90 }, async (_, seed) => {
    const outcome = await save(outsider, theirs, seed);
    if (outcome === 'saved') saved += 1;
    return outcome;
  });
  await expect.poll(() => metric('stemma_heavy_work_refused_total'), PATIENCE).toBe(40);
  expect(await metric('stemma_heavy_work', 'state="waiting"')).toBe(50);
  slot[Symbol.dispose]();
  for (let seed = 0; seed < 5; seed++) expect(await save(editor, ours, seed)).toBe('saved');
  // One piece of theirs for one of ours, or two, and not all that had come before.
  expect(saved).toBeLessThan(30);
  const outcomes = await Promise.all(flood);
  // Those of the fifty that waited longer than a request may are refused as well.
  expect(new Set(outcomes)).toEqual(new Set(['saved', 'SERVICE_UNAVAILABLE']));
  expect(await metric('stemma_heavy_work', 'state=')).toBe(0);
}, 180_000);

/** Sends pages to be read and answers how to leave before they are. */
function sending(count: number) {
  const leaving = new AbortController();
  const requests = Array.from({ length: count }, (_, seed) =>
    fetch(`${url}/v1/spaces/${theirs.spaceId}/content`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${outsider.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        changes: [{ operation: 'insert_page', title: 'Gone', document: { markdown: large(seed).repeat(25) } }],
      }),
    }).then(
      ({ status }) => status,
      (error: Error) => error.name,
    ),
  );
  const leave = async () => {
    leaving.abort();
    return Promise.all(requests);
  };
  return { leave };
}

test('work ends with its request, both waiting and running', async () => {
  const cancelled = () => metric('stemma_heavy_work_cancelled_total');
  const before = await cancelled();
  const slot = await occupy();
  const waiting = sending(3);
  await expect.poll(() => metric('stemma_heavy_work', 'state="waiting"'), PATIENCE).toBe(3);
  expect(await waiting.leave()).toEqual(Array(3).fill('AbortError'));
  await expect.poll(() => metric('stemma_heavy_work', 'state="waiting"'), PATIENCE).toBe(0);
  expect((await cancelled()) - before).toBe(3);
  slot[Symbol.dispose]();

  const running = sending(1);
  await expect.poll(() => metric('stemma_heavy_work', 'state="running"'), PATIENCE).toBe(1);
  expect(await running.leave()).toEqual(['AbortError']);
  await expect.poll(() => metric('stemma_heavy_work', 'state="running"'), PATIENCE).toBe(0);
  expect((await cancelled()) - before).toBe(4);
  const { body } = await outsider.get(`/v1/spaces/${theirs.spaceId}/content/pages`);
  expect(body.pages.map(({ title }: { title: string }) => title)).not.toContain('Gone');
}, 120_000);

test('a PDF waits for its slot, once for all who ask for it, and leaves with the last of them', async () => {
  const { body } = await outsider.get(`/v1/spaces/${theirs.spaceId}/pdf`);
  const address = body.url.replace(app.services.config.publicUrl, url);
  const waiting = () => metric('stemma_heavy_work', 'kind="pdf",state="waiting"');
  const slot = await occupy('pdf');
  const leaving = [new AbortController(), new AbortController()];
  const requests = leaving.map(({ signal }) => fetch(address, { signal }).catch((error: Error) => error.name));
  await expect.poll(waiting, PATIENCE).toBe(1);
  leaving[0]?.abort();
  expect(await requests[0]).toBe('AbortError');
  expect(await waiting()).toBe(1);
  leaving[1]?.abort();
  expect(await requests[1]).toBe('AbortError');
  await expect.poll(waiting, PATIENCE).toBe(0);
  slot[Symbol.dispose]();
  expect((await fetch(address)).status).toBe(200);
}, 120_000);

/** Address of the PDF of a new space with a number of pages. */
async function newPdf(by: Client, owner: string, pages: number): Promise<string> {
  const { spaceId } = await aSpace(by, owner);
  const changes = Array.from({ length: pages - 1 }, (_, n) => ({ insertPage: { title: `Page ${n}` } }));
  if (changes.length > 0) await by.mutate('updateSpaceContent', { spaceId, changes }, 'space { id }');
  const { body } = await by.get(`/v1/spaces/${spaceId}/pdf`);
  return body.url.replace(app.services.config.publicUrl, url);
}

test('PDFs of a few pages are printed while a book is, and the next book waits', async () => {
  const slot = await occupy('book');
  expect((await fetch(await newPdf(admin, organizationId, 50))).status).toBe(200);
  const book = fetch(await newPdf(admin, organizationId, 51));
  await expect.poll(() => metric('stemma_heavy_work', 'kind="book",state="waiting"'), PATIENCE).toBe(1);
  slot[Symbol.dispose]();
  expect((await book).status).toBe(200);
}, 120_000);

test.runIf(process.platform === 'linux')(
  'a PDF that never ends gives way to that of another organization, and is printed as a book',
  async () => {
    const books = () => metric('stemma_heavy_work_duration_seconds_count', 'kind="book"');
    const before = await books();
    const address = await newPdf(admin, organizationId, 1);
    const endless = fetch(await newPdf(outsider, otherOrganizationId, 1));
    await expect.poll(stopPrinting, { ...PATIENCE, interval: 5 }).toBe(true);
    // It waits no longer than a request does.
    expect((await fetch(address)).status).toBe(200);
    expect((await endless).status).toBe(200);
    expect((await books()) - before).toBe(1);
  },
  120_000,
);

/** Stops a process in which a PDF is printed, as if it computed endlessly (proc_pid_cmdline(5), proc_pid_stat(5)). */
function stopPrinting(): boolean {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const isOurs = textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1] === String(process.pid);
    if (!isOurs || !textOf(`/proc/${pid}/cmdline`).endsWith('print-process.ts\0')) continue;
    return process.kill(Number(pid), 'SIGSTOP');
  }
  return false;
}

/** Processes can end while they are looked at. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

test('imports run one at a time for an organization, until their content is written, and two in all', async () => {
  const third = (await outsider.mutate('createOrganization', { title: 'Third' }, 'organization { id }')).organization
    .id;
  const of = (organizationId: string) =>
    importing({ ...service, admin: outsider, editor: outsider, reader: outsider, organizationId });
  const organizations = new Map([
    [organizationId, importing(service)],
    [otherOrganizationId, of(otherOrganizationId)],
    [third, of(third)],
  ]);
  const running: string[] = [];
  let [most, mostOfOne] = [0, 0];
  const { begin } = heavyWork;
  vi.spyOn(heavyWork, 'begin').mockImplementation(async (kind, of) => {
    const slot = await begin(kind, of);
    if (kind !== 'import') return slot;
    const owner = String(of.organizationId);
    running.push(owner);
    most = Math.max(most, running.length);
    mostOfOne = Math.max(mostOfOne, running.filter((each) => each === owner).length);
    return {
      ...slot,
      [Symbol.dispose]() {
        running.splice(running.indexOf(owner), 1);
        slot[Symbol.dispose]();
      },
    };
  });
  const zip = await zipOf({ 'README.md': '# Read me', 'a.md': '# A', 'b.md': large(1) });
  const imports = [...organizations.values()].flatMap(({ newSpace, upload, importInto }) =>
    Array.from({ length: 3 }, async () => {
      const spaceId = await newSpace();
      return (await importInto(spaceId, (await upload(zip, 'file.zip')).url, 'zip')).status;
    }),
  );
  expect(await Promise.all(imports)).toEqual(Array(9).fill(201));
  expect([most, mostOfOne, running]).toEqual([2, 1, []]);
}, 120_000);
