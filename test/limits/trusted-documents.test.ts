import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { manifestOf } from '../../src/platform/graphql/request/manifest.ts';
import { documentIdOf, parseDocumentManifest } from '../../src/platform/graphql/request/trusted-documents.ts';
import { schema } from '../../src/schema.ts';
import webDocuments from '../../web/persisted-queries.json' with { type: 'json' };
import { programWords } from '../command.ts';
import { world } from '../world.ts';
import { secondProcess } from './processes.ts';

const directory = await mkdtemp(join(tmpdir(), 'stemma-documents-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

const FILES = {
  'me.graphql': 'query Me { viewer { ...Name } }\nquery MyId { viewer { id } }\n',
  'parts/name.gql': 'fragment Name on User { displayName }\n',
  'rename.graphql':
    'mutation Rename($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { title } } }\n',
};

const run = promisify(execFile);
const npmRun = (...given: string[]) => run('npm', ['run', '--silent', 'documents', '--', ...given]);

async function writeFiles(name: string, files: Record<string, string>): Promise<string> {
  const folder = join(directory, name);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const manifest = join(directory, 'documents.json');
const written = await npmRun(await writeFiles('frontend', FILES), manifest);
const documents: Record<string, string> = JSON.parse(await readFile(manifest, 'utf8'));
const [me = '', rename = ''] = Object.keys(documents);

const service = await world({ TRUSTED_DOCUMENTS: manifest });
const { admin, reader, anonymous, organizationId } = service;
const strict = await secondProcess(service, { TRUSTED_DOCUMENTS: manifest, TRUSTED_DOCUMENTS_ONLY: '1' });
const plain = await secondProcess(service);
/** Without a manifest, only the web application has documents. */
const bare = await secondProcess(service, { TRUSTED_DOCUMENTS_ONLY: '1' });

const post = (client: typeof admin, body: unknown, url = client.url) => client.send('POST', `${url}/graphql`, body);

test('the manifest has each file by the hash of its text, with the fragments it needs', () => {
  expect(Object.keys(documents)).toHaveLength(2);
  for (const [id, text] of Object.entries(documents)) expect(id).toBe(documentIdOf(text));
  expect(documents[rename]).toBe(FILES['rename.graphql']);
  expect(documents[me]).toContain('fragment Name on User {');
  expect(written.stdout).toContain(`${me}  me.graphql: Me, MyId\n`);
  expect(written.stdout).toContain(`${rename}  rename.graphql: Rename\n`);
});

test('a document is run by its hash, with POST and GET', async () => {
  const byPost = await post(reader, { documentId: me, operationName: 'Me' });
  expect(byPost.body).toEqual({ data: { viewer: { displayName: 'Reader' } } });
  const byGet = await reader.get(`/graphql?documentId=${encodeURIComponent(me)}&operationName=MyId`);
  expect(byGet.body).toEqual({ data: { viewer: { id: reader.userId } } });
  const variables = { input: { organizationId, title: 'Acme' } };
  expect((await post(admin, { documentId: rename, variables })).body.data.updateOrganization.organization.title).toBe(
    'Acme',
  );
  const get = await admin.get(
    `/graphql?documentId=${rename}&variables=${encodeURIComponent(JSON.stringify(variables))}`,
  );
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
});

test.each([
  [
    'an unknown hash',
    { documentId: `sha256:${'0'.repeat(64)}` },
    /Trusted document "sha256:0{64}" does not exist/,
    'PERSISTED_QUERY_NOT_FOUND',
  ],
  [
    'a document and its hash',
    { documentId: me, query: '{ __typename }' },
    /"query" and "documentId" cannot be combined/,
    'BAD_USER_INPUT',
  ],
  ['something else', { documentId: 1 }, /"documentId" must be a string/, 'BAD_USER_INPUT'],
])('%s is no request: 400', async (_what, body, message, code) => {
  const answer = await post(reader, body);
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toMatchObject([{ message: expect.stringMatching(message), extensions: { code } }]);
});

/** What relay-compiler writes with `persistConfig: { file, algorithm }`. */
const RELAY_TEXT = 'query MeQuery {\n  viewer {\n    id\n  }\n}\n';
const hashBy = (algorithm: string, text = RELAY_TEXT) => createHash(algorithm).update(text).digest('hex');
const relayManifest = join(directory, 'persisted_queries.json');
const relayTexts = ['md5', 'sha1', 'sha256'].map((algorithm) => [hashBy(algorithm), RELAY_TEXT]);
await writeFile(relayManifest, JSON.stringify(Object.fromEntries(relayTexts)));
const relay = await secondProcess(service, { TRUSTED_DOCUMENTS: relayManifest, TRUSTED_DOCUMENTS_ONLY: '1' });

test.each([
  { doc_id: hashBy('md5') },
  { id: hashBy('sha1') },
  { documentId: hashBy('sha256') },
  { documentId: `sha256:${hashBy('sha256')}` },
  { doc_id: hashBy('md5'), query: null, variables: {} },
  { extensions: { persistedQuery: { version: 1, sha256Hash: hashBy('sha256') } } },
])('the manifest of relay-compiler is taken, and its documents are named as clients do: %j', async (body) => {
  const expected = { data: { viewer: { id: reader.userId } } };
  expect((await post(reader, body, relay)).body).toEqual(expected);
  const parameters = Object.entries(body).filter(([, value]) => value !== null);
  const address = new URLSearchParams(
    parameters.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
  expect((await reader.get(`${relay}/graphql?${address}`)).body).toEqual(expected);
});

test.each([
  ['variables', 'x'],
  ['variables', []],
  ['operationName', 1],
  ['extensions', 'x'],
])('a trusted document with %s %j is no request: 400', async (name, value) => {
  const ids: object[] = [{ documentId: hashBy('sha256') }];
  if (name !== 'extensions') ids.push({ extensions: { persistedQuery: { version: 1, sha256Hash: hashBy('sha256') } } });
  for (const id of ids) {
    const { status, body } = await post(reader, { ...id, [name]: value }, relay);
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
  }
});

test('automatic persisted queries are PERSISTED_QUERY_NOT_SUPPORTED', async () => {
  const extensions = { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } };
  const { status, body } = await post(reader, { operationName: 'Me', variables: {}, extensions });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    errors: [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }],
  });
  const get = await reader.get(`/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`);
  expect(get.body).toEqual({ errors: [{ ...body.errors[0], extensions: get.body.errors[0].extensions }] });
  expect(get.body.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_SUPPORTED');
  // The client sends the document then, and names its hash still.
  const again = await post(reader, { query: '{ viewer { id } }', extensions });
  expect(again.body).toEqual({ data: { viewer: { id: reader.userId } } });
});

test('a hash that does not match its document is refused, in any spelling', () => {
  for (const id of [
    hashBy('md5', 'x'),
    hashBy('sha256', 'x'),
    `sha256:${hashBy('md5')}`,
    hashBy('md5').toUpperCase(),
    'MeQuery',
  ]) {
    const manifest = JSON.stringify({ [id]: RELAY_TEXT });
    expect(() => parseDocumentManifest(manifest, schema, { isOnly: false })).toThrow(
      `${id}: the document below this id is sha256:`,
    );
  }
});

test('without a manifest no hash is known', async () => {
  expect((await post(reader, { documentId: me }, plain)).status).toBe(400);
});

test('in the strict mode other documents are for operators', async () => {
  for (const client of [reader, anonymous]) {
    const refused = await post(client, { query: '{ viewer { id } }' }, strict);
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toMatchObject([
      { message: expect.stringMatching(/Only trusted documents are allowed/), extensions: { code: 'FORBIDDEN' } },
    ]);
  }
  expect((await post(reader, { documentId: me, operationName: 'Me' }, strict)).body.data.viewer.displayName).toBe(
    'Reader',
  );
  expect((await post(reader, { query: documents[me], operationName: 'Me' }, strict)).body.data.viewer.displayName).toBe(
    'Reader',
  );
  expect((await post(admin, { query: getIntrospectionQuery() }, strict)).body.data.__schema).toBeDefined();
  expect((await reader.send('GET', `${strict}/v1/user`)).status).toBe(200);
});

test('an invalid manifest is refused with all its errors', () => {
  const parse = (manifest: unknown) => () => parseDocumentManifest(JSON.stringify(manifest), schema, { isOnly: false });
  const broken = '{ viewers }';
  expect(parse({ 'sha256:1': '{ viewer { id } }', [documentIdOf(broken)]: broken })).toThrow(
    /^sha256:1: the document below this id is sha256:\w+\.\nsha256:\w+: Cannot query field "viewers"/,
  );
  for (const wrong of [[], {}, null, { [me]: 1 }]) expect(parse(wrong)).toThrow(/must be a JSON object of documents/);
});

test('a service with a wrong manifest does not start', async () => {
  await expect(secondProcess(service, { TRUSTED_DOCUMENTS: join(directory, 'missing.json') })).rejects.toThrow(
    /^TRUSTED_DOCUMENTS: .*missing\.json cannot be used\.\nENOENT/,
  );
});

/** What `npm run documents` runs. npm itself takes longer. */
const program = programWords('documents');

test.each([
  ['a folder without documents', {}, /contains no \*\.graphql or \*\.gql files/],
  ['a file that does not parse', { 'a.graphql': 'query {' }, /^a\.graphql: Syntax Error/],
  ['a document that does not fit', { 'a.graphql': '{ viewers }' }, /^a\.graphql: Cannot query field "viewers"/],
])('`npm run documents` names what is wrong with %s, and writes nothing', async (name, files, message) => {
  const folder = await writeFiles(name, files);
  const file = join(directory, 'wrong.json');
  await expect(run(process.execPath, [...program, folder, file])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(message),
  });
  await expect(readFile(file)).rejects.toThrow(/ENOENT/);
});

test('fragments are found through other fragments, once, and may not be there twice', () => {
  const source = (path: string, text: string) => ({ path, text });
  const [entry, ...more] = manifestOf([
    source('a.graphql', 'query A { viewer { ...B ...C } }'),
    source('b.graphql', 'fragment B on User { ...C }'),
    source('c.graphql', 'fragment C on User { id }'),
  ]);
  expect(more).toEqual([]);
  expect(entry?.text.match(/fragment \w/g)).toEqual(['fragment B', 'fragment C']);
  const twice = ['x', 'y'].map((path) => source(path, 'fragment B on User { id }'));
  expect(() => manifestOf(twice)).toThrow('Fragment "B" is defined in both x and y.');
});

describe('documents of the web application', () => {
  const own = Object.entries(webDocuments);
  const viewer = own.find(([, text]) => !text.includes('$')) ?? expect.fail('no document without variables');

  test('are taken by their id, whatever other documents are', async () => {
    for (const url of [service.url, strict, plain, relay, bare]) {
      for (const documentId of [viewer[0], `sha256:${viewer[0]}`]) {
        const { status, body } = await post(reader, { documentId, variables: {} }, url);
        expect([url, status, body.errors]).toEqual([url, 200, undefined]);
      }
    }
  });

  test('are the only ones in the strict mode without a manifest, except from operators', async () => {
    const other = await post(reader, { query: '{ viewer { id } }' }, bare);
    expect([other.status, other.body.errors[0].extensions.code]).toEqual([400, 'FORBIDDEN']);
    expect((await post(reader, { documentId: me }, bare)).status).toBe(400);
    expect((await post(reader, { query: viewer[1] }, bare)).status).toBe(200);
    expect((await post(admin, { query: '{ viewer { id } }' }, bare)).status).toBe(200);
  });

  test('have a name in metrics', async () => {
    await post(reader, { documentId: viewer[0], variables: {} });
    const [, name] = /query (\w+)/.exec(viewer[1]) ?? [];
    const { body } = await admin.get('/metrics');
    expect(body).toContain(`stemma_graphql_operation_duration_seconds_count{operation="${name}",result="ok"}`);
  });
});
