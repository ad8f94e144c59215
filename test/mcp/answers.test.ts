import { Writable } from 'node:stream';
import { sql } from 'kysely';
import pino from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { Client } from '../client.ts';
import { intruder } from '../limits/processes.ts';
import { publishedSite, spaceWith } from '../publishing/reader-world.ts';
import { visitorOf } from '../publishing/visiting.ts';
import { world } from '../world.ts';
import { INITIALIZE, McpAgent } from './agent.ts';

/* What answers have where not everything fits, and what goes wrong on the way to one. */

const lines: string[] = [];
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(...String(chunk).trim().split('\n'));
    done();
  },
});

const { admin, app, databaseUrl, outsider, organizationId, url } = await world(
  {},
  { log: pino({ level: 'info' }, stream) },
);

const agent = new McpAgent(admin);

beforeEach(() => {
  lines.length = 0;
  agent.largest = 0;
});

const logged = () => lines.map((line) => JSON.parse(line));

const spaceOf = (title: string, pages: Record<string, unknown>[]) => spaceWith(admin, organizationId, title, pages);

const written = (title: string, markdown: string) => ({ title, document: { markdown } });

const newChangeRequest = async (spaceId: string): Promise<{ spaceId: string; changeRequestId: string }> => ({
  spaceId,
  changeRequestId: (await agent.call('createChangeRequest', { spaceId, subject: 'Better words' })).id,
});

/** Changes to pages, in as many calls as they take. */
async function edited(tool: string, given: object, changes: object[]): Promise<void> {
  for (let from = 0; from < changes.length; from += 50)
    await agent.call(tool, { ...given, changes: changes.slice(from, from + 50) });
}

/** All items of a list, from the cursor of each page to the next one. */
async function allOf(tool: string, given: object) {
  const pages: { items: Record<string, unknown>[]; nextCursor?: string }[] = [];
  do pages.push(await agent.call(tool, { ...given, limit: 100, cursor: pages.at(-1)?.nextCursor }));
  while (pages.at(-1)?.nextCursor !== undefined);
  return { items: pages.flatMap(({ items }) => items), pages: pages.length };
}

/** The text of a page, from each part to the next one, with the number of parts. */
async function readInParts(given: object) {
  let text = '';
  let parts = 0;
  let next: object | undefined = {};
  while (next) {
    const part: Record<string, unknown> = await agent.call('getPage', { ...given, ...next });
    text += part.text;
    parts += 1;
    const { nextLine: fromLine, nextCharacter: fromCharacter } = part;
    next = fromLine === undefined ? undefined : { fromLine, ...(fromCharacter !== undefined && { fromCharacter }) };
  }
  return { text, parts };
}

const textInRest = async (spaceId: string, pageId = ''): Promise<string> =>
  (await admin.get(`/v1/spaces/${spaceId}/content/page/${pageId}/text`)).body.text;

test('lines that are longer than an answer come in parts without loss, and without a mark in the text', async () => {
  const { spaceId, pageIds } = await spaceOf('Long lines', [
    written('Long', `First.\n\n${'wörd 😀 '.repeat(5_000)}\n`),
  ]);
  const { text, parts } = await readInParts({ spaceId, pageId: pageIds[0] });
  expect(text).toBe(await textInRest(spaceId, pageIds[0]));
  expect(parts).toBeGreaterThan(2);
  expect(agent.largest).toBeLessThanOrEqual(25_000);
});

test('counts lines as the API does, whatever their ends are', async () => {
  const body = ['One\r', 'two\r\n', 'three\n', ...Array.from({ length: 3_000 }, (_, i) => `line ${i}\r`)].join('');
  const { spaceId, pageIds } = await spaceOf('Line ends', [written('Ends', body)]);
  const whole = await textInRest(spaceId, pageIds[0]);
  const read = await readInParts({ spaceId, pageId: pageIds[0] });
  expect([read.text, read.parts > 1]).toEqual([whole, true]);
  const own = await agent.call('getPage', { spaceId, pageId: pageIds[0], fromLine: 2, toLine: 3 });
  const { body: same } = await admin.get(`/v1/spaces/${spaceId}/content/page/${pageIds[0]}/text?from=2&to=3`);
  expect([own.text, own.lineCount]).toEqual([same.text, same.lineCount]);
});

test('goes on in a section from a line, and finds sections after the first thousand headings', async () => {
  const words = Array.from({ length: 900 }, (_, i) => `Word ${i} of a long section.\n`).join('\n');
  const headings = Array.from({ length: 1_050 }, (_, i) => `## Heading ${i}\n`).join('\n');
  const { spaceId, pageIds } = await spaceOf('Sections', [
    written('Section', `Before.\n\n## Long\n\n${words}\n## After\n\nNot of it.\n`),
    written('Headings', headings),
  ]);
  const section = { spaceId, pageId: pageIds[0], anchor: 'long' };
  const { text, parts } = await readInParts(section);
  expect(parts).toBeGreaterThan(1);
  const whole = await textInRest(spaceId, pageIds[0]);
  expect(text).toBe(whole.slice(whole.indexOf('## Long'), whole.indexOf('## After')));
  expect((await agent.call('getPage', { ...section, toLine: 3 })).text).toBe('## Long\n');
  const outside = await agent.try('getPage', { ...section, fromLine: 5_000 });
  expect(outside.text).toMatch(/^BAD_USER_INPUT: fromLine: is not within the section, which has the lines 3 to /);
  const last = await agent.call('getPage', { spaceId, pageId: pageIds[1], anchor: 'heading-1049' });
  expect(last.text).toContain('## Heading 1049');
});

test('outlines end, and name each heading once', async () => {
  const headings = Array.from({ length: 400 }, (_, i) => `## Heading ${i}\n\nText.\n`).join('\n');
  const { spaceId, pageIds } = await spaceOf('Outlines', [written('Headings', headings)]);
  const seen: string[] = [];
  for (let fromLine: number | null = 1, calls = 0; fromLine !== null && calls < 100; calls += 1) {
    const part: { headings: { anchor: string }[]; blocks: object[]; nextLine: number | null } = await agent.call(
      'getPageOutline',
      { spaceId, pageId: pageIds[0], blocks: true, fromLine },
    );
    seen.push(...part.headings.map(({ anchor }) => anchor));
    fromLine = part.nextLine;
  }
  expect(seen).toEqual(Array.from({ length: 400 }, (_, i) => `heading-${i}`));
  expect(agent.largest).toBeLessThanOrEqual(25_000);
});

test('lists conflicts that do not fit beside a result, and resolves all of them', async () => {
  const pages = Array.from({ length: 120 }, (_, i) => ({ title: `Page ${i}` }));
  const { spaceId, pageIds } = await spaceOf('Conflicts', pages);
  const name = await newChangeRequest(spaceId);
  const titled = (word: string) => pageIds.map((page) => ({ page, title: `${word} ${page}` }));
  await edited('updatePage', name, titled('Ours'));
  for (let from = 0; from < pageIds.length; from += 50) {
    const changes = titled('Theirs').slice(from, from + 50);
    const operations = changes.map((change) => ({ operation: 'update_page', ...change }));
    expect((await admin.post(`/v1/spaces/${spaceId}/content`, { changes: operations })).status).toBe(200);
  }
  for (const tool of ['getMergeability', 'updateFromMain']) {
    const { data, remedy } = await agent.try(tool, name);
    expect([data.hasMoreConflicts, data.conflicts.length > 10]).toEqual([true, true]);
    expect(remedy).toContain('listConflicts');
  }
  expect((await agent.call('getMergeability', name)).conflictsCount).toBe(120);
  const { items } = await allOf('listConflicts', name);
  expect(new Set(items.map(({ targetId }) => targetId))).toEqual(new Set(pageIds));
  expect(agent.largest).toBeLessThanOrEqual(25_000);
  const resolutions = items.map(({ id }) => ({ conflictId: id, choice: 'ours' }));
  expect((await agent.call('resolveConflicts', { ...name, resolutions })).result).toBe('update');
  const { items: none } = await agent.call('listConflicts', name);
  expect(none).toEqual([]);
});

test('the pages of a diff follow each other, each with its text, until the change request changes', async () => {
  const text = (word: string) => Array.from({ length: 60 }, (_, i) => `${word} ${i} of the text.\n`).join('\n');
  const pages = Array.from({ length: 40 }, (_, i) => written(`Page ${i}`, text('Word')));
  const { spaceId, pageIds } = await spaceOf('Diffs', pages);
  const name = await newChangeRequest(spaceId);
  const replace = (page: string) => ({
    page,
    edits: Array.from({ length: 20 }, (_, i) => ({ find: `Word ${i} of`, replaceWith: `Text ${i} of` })),
  });
  await edited('editPageText', name, pageIds.map(replace));
  const { items, pages: count } = await allOf('getChangeRequestDiff', name);
  expect(new Set(items.map(({ pageId }) => pageId))).toEqual(new Set(pageIds));
  expect(items.filter(({ diff }) => typeof diff !== 'string' || !diff.includes('+Text 19 of'))).toEqual([]);
  expect(count).toBeGreaterThan(1);
  expect(agent.largest).toBeLessThanOrEqual(25_000);
  const first = await agent.call('getChangeRequestDiff', { ...name, limit: 1 });
  expect(first).toMatchObject({ hasFileChanges: false, hasReusableContentChanges: false, hasVariableChanges: false });
  await agent.call('updatePage', { ...name, changes: [{ page: pageIds[0], title: 'Other' }] });
  const { text: stale } = await agent.try('getChangeRequestDiff', { ...name, cursor: first.nextCursor });
  expect(stale).toMatch(/^BAD_USER_INPUT: cursor: .*Begin again without a cursor\./);
});

test('cuts texts and previews without a mark inside of them, and names what was left out', async () => {
  const { spaceId, pageIds } = await spaceOf(
    'Cut',
    Array.from({ length: 100 }, (_, i) => written(`Page ${i}`, `Word ${i}.\n`)),
  );
  const long = 'w'.repeat(20_000);
  await agent.call('postComment', { spaceId, markdown: long });
  const listed = await agent.try('listComments', { spaceId });
  const { markdown } = listed.data.items[0].body;
  expect(listed.leftOut).toEqual([expect.stringMatching(/^items\.0\.body\.markdown: 8000 of 2000\d characters$/)]);
  expect([markdown.length, long.startsWith(markdown)]).toEqual([8_000, true]);
  const name = await newChangeRequest(spaceId);
  const edits = (page: string, i: number) => ({
    page,
    edits: [{ find: `Word ${i}.`, replaceWith: 'x'.repeat(2_000) }],
  });
  await edited('editPageText', name, pageIds.map(edits));
  await (await restricted(['WRITE'])).call('updatePage', { spaceId, changes: [{ page: pageIds[0], slug: 'first' }] });
  const tried = await (await restricted(['MERGE'])).try('mergeChangeRequest', { ...name, dryRun: true });
  const shown = tried.data.preview.pages;
  expect([shown.length < 100, tried.data.preview.pagesCount]).toEqual([true, 100]);
  expect(tried.leftOut).toContain(`preview.pages: ${shown.length} of 100 items`);
  expect(shown[0].pageId).toMatch(/^page_/);
  expect(agent.largest).toBeLessThanOrEqual(25_000);
});

test('spaces that a search finds fit into an answer, and their other pages are found in them', async () => {
  const zebras = async (name: string, length: number) => {
    const section = (i: number) => `## ${name} ${'part '.repeat(length)}${i}\n\n${`${name} crossing `.repeat(40)}\n`;
    const markdown = Array.from({ length: 8 }, (_, i) => section(i)).join('\n');
    const pages = Array.from({ length: 12 }, (_, i) => written(`${name} ${i}`, markdown));
    const { spaceId } = await spaceOf(`${name}s`, pages);
    const { data, leftOut } = await agent.try('search', { organizationId, query: name });
    expect([data.items.length, data.items[0].spaceId, leftOut]).toEqual([1, spaceId, undefined]);
    const [{ pages: shown, hasMorePages }] = data.items;
    for (const { sections } of shown) expect(sections).toHaveLength(2);
    expect((await allOf('search', { spaceId, query: name })).items).toHaveLength(12);
    return [shown.length, hasMorePages];
  };
  expect(await zebras('Zebra', 1)).toEqual([10, undefined]);
  const [shown, hasMorePages] = await zebras('Quagga', 40);
  expect([shown > 2, shown < 10, hasMorePages]).toEqual([true, true, true]);
  expect(agent.largest).toBeLessThanOrEqual(25_000);
});

test('broken links come with the page that they are on', async () => {
  const { spaceId, pageIds } = await spaceOf('Links', [written('Linked', 'See [gone](absent.md).\n')]);
  expect((await agent.call('listBrokenLinks', { spaceId })).items).toMatchObject([
    { locationKind: 'page', locationId: pageIds[0], title: 'Linked', path: 'linked', ref: { kind: 'url' } },
  ]);
});

test('a call that is repeated with its key has no second effect', async () => {
  const { spaceId, pageIds } = await spaceOf('Keys', [written('Page', 'Text.\n\n## End\n\nLast.\n')]);
  const twice = async (tool: string, given: object) => {
    const call = { ...given, idempotencyKey: `${tool} of ${spaceId}` };
    const first = await agent.call(tool, call);
    return [first, await agent.call(tool, call)];
  };
  const [one, same] = await twice('createChangeRequest', { spaceId, subject: 'Once' });
  expect(same.id).toBe(one.id);
  expect((await agent.call('listChangeRequests', { spaceId })).items).toHaveLength(1);
  const name = { spaceId, changeRequestId: one.id };
  await twice('postComment', { ...name, markdown: 'Once.' });
  expect((await agent.call('listComments', name)).items).toHaveLength(1);
  await twice('editPageSection', { ...name, changes: [{ page: pageIds[0], anchor: 'end', append: 'Appended.' }] });
  expect((await agent.call('getPage', { ...name, pageId: pageIds[0] })).text.match(/Appended/g)).toHaveLength(1);
  const other = { spaceId, subject: 'Other', idempotencyKey: `createChangeRequest of ${spaceId}` };
  expect((await agent.try('createChangeRequest', other)).text).toMatch(/^CONFLICT: |^BAD_USER_INPUT: idempotencyKey/);
});

test('resources have at most 25 kB, with the place to continue from, and errors of their kind', async () => {
  const { spaceId, pageIds } = await spaceOf('Resources', [
    written('Long', 'Word. 😀 '.repeat(9_000)),
    { title: 'Group' },
  ]);
  const read = (uri: string, by = agent) => by.send({ method: 'resources/read', params: { uri } });
  const uri = `stemma://spaces/${spaceId}/pages/${pageIds[0]}`;
  const { result } = (await read(uri)).body;
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(25_000);
  const [notice, { text }] = result.contents;
  const [, fromLine, fromCharacter] = /fromLine (\d+) and fromCharacter (\d+)\.$/.exec(notice.text) ?? [];
  const rest = await readInParts({
    spaceId,
    pageId: pageIds[0],
    fromLine: Number(fromLine),
    fromCharacter: Number(fromCharacter),
  });
  expect(text.length + rest.text.length).toBe((await textInRest(spaceId, pageIds[0])).length);
  const absent = `stemma://spaces/${spaceId}/pages/page_absent`;
  expect((await read(absent)).body.error).toMatchObject({ code: -32602, data: { uri: absent } });
  expect((await read(uri, new McpAgent(outsider))).body.error.data).toEqual({ uri });
  const invalid = (await read(`stemma://spaces/${spaceId}/pages/${'p'.repeat(300)}`)).body.error;
  expect([invalid.code, invalid.message, invalid.data]).toEqual([
    -32602,
    expect.stringMatching(/BAD_USER_INPUT: pageId: /),
    undefined,
  ]);
});

async function restricted(scopes: string[]): Promise<McpAgent> {
  const { secret } = await admin.mutate('createApiToken', { label: 'Agent', scopes }, 'secret');
  return new McpAgent(new Client(admin.url, secret));
}

test('tokens with scopes do what these allow, and tokens that are not of a user nothing', async () => {
  const { spaceId } = await spaceOf('Scopes', [{ title: 'Page' }]);
  const reading = await restricted(['READ']);
  expect((await reading.call('listPages', { spaceId })).items).toHaveLength(1);
  const subject = 'No';
  expect((await reading.try('createChangeRequest', { spaceId, subject })).text).toMatch(/^FORBIDDEN: .*"propose"/);
  const proposing = await restricted(['READ', 'COMMENT', 'PROPOSE']);
  const { id: changeRequestId } = await proposing.call('createChangeRequest', { spaceId, subject: 'Yes' });
  const status = { spaceId, changeRequestId, status: 'open' };
  expect((await proposing.try('updateChangeRequest', status)).text).toMatch(/^FORBIDDEN: .*"merge"/);
  const { path } = await publishedSite(admin, organizationId, { title: 'Docs', spaces: [spaceId] });
  const visitor = await new McpAgent(await visitorOf(app, url, path.split('/').at(-1) ?? '')).send(INITIALIZE);
  expect([visitor.status, visitor.headers.get('www-authenticate')]).toEqual([403, null]);
});

test('messages of a wrong form are errors of the client, and notifications have no answer', async () => {
  const notified = await agent.send({ id: undefined, method: 'notifications/initialized' });
  expect([notified.status, notified.body]).toEqual([202, undefined]);
  const wrong = [
    { method: 'tools/call', params: 'text' },
    { method: 'tools/call', params: [] },
    { method: 'tools/call', params: { name: 7 } },
    { method: 'tools/call', params: { name: 'listPages', arguments: 7 } },
    { method: 'tools/call', params: { name: 'listPages', arguments: ['x'] } },
    { method: 'resources/read', params: { uri: 7 } },
    { method: 'resources/read', params: { uri: 'stemma://nothing' } },
    { method: 'prompts/get', params: { name: 'reviewChangeRequest', arguments: { spaceId: 7 } } },
  ];
  for (const message of wrong) {
    const { status, body } = await agent.send(message);
    expect([message, status < 500]).toEqual([message, true]);
    expect(body.error).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
  }
  const { capabilities } = (await agent.send(INITIALIZE)).body.result;
  for (const name of ['tools', 'resources', 'prompts']) expect(capabilities[name]).toEqual({ listChanged: false });
});

/** Calls a tool and leaves as soon as it waits in the database. */
async function leave(other: Awaited<ReturnType<typeof intruder>>, tool: string, given: object): Promise<void> {
  const leaving = new AbortController();
  const request = fetch(`${url}/mcp`, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      authorization: `Bearer ${admin.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: given } }),
  }).catch((error: Error) => error.name);
  await expect.poll(() => other.waiting()).toBe(1);
  leaving.abort();
  expect(await request).toBe('AbortError');
}

test('a tool that reads is cancelled when its client leaves, and one that writes is not', async () => {
  const { spaceId } = await spaceOf('Left', []);
  await using other = await intruder(databaseUrl);
  await other.lockTable('comment');
  await leave(other, 'listComments', { spaceId });
  await expect.poll(() => other.waiting()).toBe(0);
  await leave(other, 'postComment', { spaceId, markdown: 'Written.' });
  expect(await other.waiting()).toBe(1);
  await other.release();
  await expect.poll(async () => (await agent.call('listComments', { spaceId })).items.length).toBe(1);
});

test('the log names tools and the codes of their errors, and bugs reach the client without details', async () => {
  const { spaceId, pageIds } = await spaceOf('Logged', [written('Page', 'Text.\n')]);
  lines.length = 0;
  await agent.call('listPages', { spaceId });
  await agent.try('getPage', { spaceId, pageId: 'page_absent' });
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(app.services.db);
  await rename('comment', 'comment_gone');
  const failed = await agent.try('listComments', { spaceId });
  await rename('comment_gone', 'comment');
  expect(failed.text).toMatch(/^INTERNAL_SERVER_ERROR: Internal error \(request \S+\)\.\n\nThe message above/);
  await agent.send({ method: 'resources/read', params: { uri: `stemma://spaces/${spaceId}/pages/${pageIds[0]}` } });
  const requests = () => logged().filter(({ msg }) => msg === 'request');
  await expect.poll(() => requests().length, { timeout: 10_000 }).toBe(4);
  expect(requests().map(({ operation, errors }) => ({ operation, errors }))).toEqual([
    { operation: 'listPages' },
    { operation: 'getPage', errors: ['NOT_FOUND'] },
    { operation: 'listComments', errors: ['INTERNAL_SERVER_ERROR'] },
    { operation: 'resources/read' },
  ]);
  const [bug] = logged().filter(({ msg }) => msg === 'unexpected error');
  expect(bug).toMatchObject({ requestId: expect.any(String), err: { message: expect.stringContaining('comment') } });
});
