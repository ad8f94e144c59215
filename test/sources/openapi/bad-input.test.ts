import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { world } from '../../world.ts';
import { makeSpecServer, pets, specifying } from './arrange.ts';

const here = await world({ WORKERS: '1', ALLOW_PRIVATE_NETWORK: '1' });
const { admin, advance, app } = here;
const { all, processed, put, read, versions } = specifying(here);

const start = '{"openapi":"3.1.0","info":{"title":"A","version":"1"},';
const referring = (ref: string) => `${start}\n"paths":{"/a":{"get":{"parameters":[\n  {"$ref":"${ref}"}]}}}}`;
const bomb = `openapi: 3.1.0\na: &a [x, x, x, x, x, x, x, x, x, x]\n${[...'bcdefghi']
  .map((name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcdefghi'[index]}`).join(', ')}]`)
  .join('\n')}\n`;

test.each([
  ['a text that is not JSON', `{"openapi":"3.1.0",\n  "info": }`, { line: 2, column: 11 }],
  ['a text that is not YAML', 'openapi: 3.1.0\ninfo: [a\n', { line: 3 }],
  ['HTML', '<!doctype html><title>Sign in</title>', { message: expect.stringMatching(/HTML/) }],
  ['a scalar', 'just some words', { message: expect.stringMatching(/not an object/) }],
  [
    'another kind of document',
    '{"asyncapi":"2.0.0"}',
    { message: expect.stringMatching(/neither `openapi` nor `swagger`/) },
  ],
  ['an unknown version', '{"openapi":"4.0.0"}', { message: expect.stringMatching(/"4.0.0"/) }],
  ['aliases that expand', bomb, { message: expect.stringMatching(/aliases/) }],
  [
    'deep nesting',
    `${start}"x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    { message: expect.stringMatching(/nested/) },
  ],
  [
    'a response of Swagger that is null',
    '{"swagger":"2.0","info":{"title":"A","version":"1"},"paths":{"/a":{"get":{"responses":{"200":null}}}}}',
    { message: expect.stringMatching(/none is null/) },
  ],
  ['an escaped NUL', `${start}"x":"\\u0000"}`, { message: expect.stringMatching(/NUL/) }],
  ['an unpaired surrogate', `${start}"\\ud800":1}`, { message: expect.stringMatching(/surrogate/) }],
  [
    'a reference to a file',
    referring('file:///etc/passwd'),
    { line: 3, message: expect.stringMatching(/Only sources with a URL/) },
  ],
  ['a relative reference in a text', referring('../secret.yaml'), { line: 3 }],
])('%s is a PARSE_ERROR', async (name, text, fault) => {
  const slug = name.replaceAll(' ', '-').toLowerCase();
  await admin.put(`${all}/${slug}`, { source: { text } });
  const done = await processed(slug);
  expect(done).toMatchObject({
    lastProcessErrorCode: 'PARSE_ERROR',
    lastProcessedErrors: [fault],
    lastProcessedErrorCount: 1,
  });
  expect(done).not.toHaveProperty('lastVersion');
  expect((await admin.get(`${all}/${slug}/versions/latest`)).status).toBe(404);
  expect((await admin.get(`${all}/${slug}/versions/latest/content`)).status).toBe(404);
});

test('circular references of every kind are processed', async () => {
  const schemas = {
    Self: { $ref: '#/components/schemas/Self' },
    A: { $ref: '#/components/schemas/B' },
    B: { allOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/Missing' }] },
    Root: { properties: { all: { $ref: '#' }, here: { $ref: '#/components/schemas' }, odd: { $ref: '#/%zz' } } },
  };
  const paths = {
    '/self': { $ref: '#/paths/~1self' },
    '/a': {
      get: {
        parameters: [{ $ref: '#/paths/~1a/get/parameters/0' }],
        responses: { 200: { $ref: '#/components/schemas/A' } },
      },
    },
  };
  const done = await put('circular', { text: pets({ paths, components: { schemas } }) });
  expect(done).not.toHaveProperty('lastProcessErrorCode');
  expect((await versions('circular'))[0]).toMatchObject({ operationsCount: 1, schemasCount: 4 });
});

/** Sends more than any specification may have, without saying how much. */
function endless(_request: IncomingMessage, response: ServerResponse): void {
  const chunk = Buffer.alloc(1_000_000, ' ');
  const go = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', go);
  };
  response.writeHead(200);
  go();
}

test('sources that cannot be fetched are a FETCH_ERROR, and the last good version stays', async () => {
  const server = await makeSpecServer({
    '/good.json': pets(),
    '/loop': (_request, response) => void response.writeHead(302, { location: '/loop' }).end(),
    '/error': (_request, response) => void response.writeHead(500).end(),
    '/huge': (_request, response) => void response.writeHead(200, { 'content-length': 200_000_000 }).flushHeaders(),
    '/endless': endless,
    '/file.json': referring('file:///etc/passwd#/a'),
    '/other.json': referring('http://10.0.0.1/x.json#/a'),
    '/gone.json': referring('absent.json#/a'),
  });
  const { lastVersion } = await put('fetched', { url: `${server.url}/good.json` });
  for (const [path, code] of [
    ['/loop', 'FETCH_ERROR'],
    ['/error', 'FETCH_ERROR'],
    ['/huge', 'FETCH_ERROR'],
    ['/endless', 'FETCH_ERROR'],
    ['/missing', 'FETCH_ERROR'],
    ['/file.json', 'PARSE_ERROR'],
    ['/other.json', 'PARSE_ERROR'],
    ['/gone.json', 'FETCH_ERROR'],
  ]) {
    const done = await put('fetched', { url: `${server.url}${path}` });
    expect([path, done.lastProcessErrorCode, done.lastVersion]).toEqual([path, code, lastVersion]);
  }
  const mended = await put('fetched', { url: `${server.url}/good.json` });
  expect(mended).toMatchObject({ lastVersion });
  expect(mended).not.toHaveProperty('lastProcessErrorCode');
  expect(mended).not.toHaveProperty('lastProcessedErrors');
});

test('the number of files is limited, and they must be UTF-8', async () => {
  const names = Array.from({ length: 101 }, (_, index) => `/part-${index}.json`);
  const parameters = names.map((name) => `{"$ref":"${name}#/a"}`).join();
  const server = await makeSpecServer({
    '/many.json': `${start}"paths":{"/a":{"get":{"parameters":[${parameters}]}}}}`,
    ...Object.fromEntries(names.map((name) => [name, '{"a":{"name":"a","in":"query"}}'])),
    '/latin.json': (_request, response) =>
      void response.writeHead(200).end(Buffer.from('{"openapi":"\xe9"}', 'latin1')),
  });
  for (const [path, message] of [
    ['/many.json', /more than 100 files/],
    ['/latin.json', /not UTF-8/],
  ] as const) {
    const done = await put('limited', { url: `${server.url}${path}` });
    expect(done).toMatchObject({
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [{ message: expect.stringMatching(message) }],
    });
  }
});

test('of two replacements at once the later one wins', async () => {
  await put('raced', { text: pets() });
  const sources = [1, 2, 3, 4].map((version) => ({ text: pets({ info: { title: 'Pets', version: `${version}` } }) }));
  const answers = await Promise.all(sources.map((source) => admin.put(`${all}/raced`, { source })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await processed('raced');
  const { sourceText } = await app.services.db
    .selectFrom('openapi_spec')
    .where('slug', '=', 'raced')
    .select('sourceText')
    .executeTakeFirstOrThrow();
  expect((await admin.get(`${all}/raced/versions/latest/content/raw`)).body.text).toBe(sourceText);
});

test('the outcome of a source that was replaced or deleted while it was processed is discarded', async () => {
  let release = () => {};
  const server = await makeSpecServer({
    '/slow.json': async (_request, response) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      response.writeHead(200).end(pets());
    },
  });
  const begin = async (slug: string) => {
    await admin.put(`${all}/${slug}`, { source: { url: `${server.url}/slow.json` } });
    await expect.poll(async () => (await read(slug)).processingState, { timeout: 10_000 }).toBe('progress');
    await expect.poll(() => server.asked.length, { timeout: 10_000 }).toBeGreaterThan(0);
  };
  await begin('replaced-meanwhile');
  await admin.put(`${all}/replaced-meanwhile`, { source: { text: pets({ tags: [] }) } });
  release();
  expect(await processed('replaced-meanwhile')).not.toHaveProperty('lastProcessErrorCode');
  expect(await versions('replaced-meanwhile')).toHaveLength(1);
  server.asked.length = 0;
  await begin('deleted-meanwhile');
  const { id } = await read('deleted-meanwhile');
  await admin.delete(`${all}/deleted-meanwhile`);
  release();
  await put('afterwards', { text: pets() });
  const rows = app.services.db.selectFrom('openapi_spec_version').where('specId', '=', id).select('id');
  expect(await rows.execute()).toEqual([]);
});

test('a source that does not respond in time is a FETCH_TIMEOUT, whether it hangs before or within the response', async () => {
  const server = await makeSpecServer({
    '/hangs': () => {},
    '/stops': (_request, response) => void response.writeHead(200).write('{"openapi":'),
  });
  const { fetch } = app.services;
  const impatient = vi.spyOn(app.services, 'fetch').mockImplementation((asked) => fetch({ ...asked, timeoutMs: 300 }));
  for (const path of ['/hangs', '/stops']) {
    const done = await put('hanging', { url: `${server.url}${path}` });
    expect([path, done.lastProcessErrorCode]).toEqual([path, 'FETCH_TIMEOUT']);
  }
  impatient.mockRestore();
});

test('files that each arrive in time, but take too long together, are a FETCH_TIMEOUT', async () => {
  const slow: Parameters<typeof makeSpecServer>[0][string] = (_request, response) => {
    advance(3 * 60 * 1000);
    response.writeHead(200).end(JSON.stringify({ A: { name: 'a', in: 'query', schema: {} } }));
  };
  const refs = ['a', 'b', 'c'].map((name) => ({ $ref: `${name}.json#/A` }));
  const entry = `${start}"paths":{"/a":{"get":{"parameters":${JSON.stringify(refs)},"responses":{}}}}}`;
  const server = await makeSpecServer({ '/api.json': entry, '/a.json': slow, '/b.json': slow, '/c.json': slow });
  expect(await put('slow-files', { url: `${server.url}/api.json` })).toMatchObject({
    lastProcessErrorCode: 'FETCH_TIMEOUT',
    lastProcessedErrors: [{ message: 'The files did not arrive within 5 minutes.' }],
  });
  expect(server.asked.map(({ url }) => url)).not.toContain('/c.json');
});
