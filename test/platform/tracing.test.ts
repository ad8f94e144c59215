import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from '../client.ts';
import { programWords } from '../command.ts';
import { administer, makeDatabase } from '../database.ts';

/** A span as OTLP writes it (opentelemetry-proto, trace.proto, JSON encoding). */
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

interface Traces {
  resourceSpans: { resource: { attributes: Span['attributes'] }; scopeSpans: { spans: Span[] }[] }[];
}

const TOKEN = 'stemma_the-token-of-this-test';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const spans: Span[] = [];
const services = new Set<unknown>();
let child: ChildProcess;
let dataDir: string;
let client: Client;

/** Takes what an exporter sends, over HTTP. */
const collector = createServer(async (request, response) => {
  expect([request.method, request.url]).toEqual(['POST', '/v1/traces']);
  const { resourceSpans } = (await json(request)) as Traces; // the exporter's own
  for (const { resource, scopeSpans } of resourceSpans) {
    services.add(attributesOf(resource)['service.name']);
    for (const scope of scopeSpans) spans.push(...scope.spans);
  }
  response.setHeader('content-type', 'application/json').end('{}');
}).listen(0, '127.0.0.1');

const attributesOf = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

const database = await makeDatabase();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stemma-tracing-'));
  const { PATH, HOME } = process.env;
  const { port } = collector.address() as AddressInfo; // it listens on TCP
  const env = {
    ...{ PATH, HOME, PORT: '0', DATA_DIR: dataDir, DEMO: '0', LOG_LEVEL: 'warn', DATABASE_URL: database.url },
    ...{ BOOTSTRAP_TOKEN: TOKEN, OTEL_SERVICE_NAME: 'docs', OTEL_BSP_SCHEDULE_DELAY: '100' },
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  } as NodeJS.ProcessEnv; // every value is text
  child = spawn(process.execPath, programWords('main'), { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout?.on('data', (chunk) => (text += chunk));
  while (!text.includes('GraphiQL')) await once(child.stdout ?? child, 'data');
  client = new Client(/listens on (\S+)/.exec(text)?.[1] ?? '', TOKEN);
}, 30_000);

afterAll(async () => {
  child.kill('SIGKILL');
  collector.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const named = (name: string) => spans.filter((span) => span.name === name && span.traceId === TRACE);

test("a request, its operation and its statements are one trace, below the caller's", async () => {
  const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
  const query = '{ viewer { organizations(first: 5) { nodes { title spaces(first: 2) { nodes { id } } } } } }';
  const { status } = await client.send('POST', '/graphql', { query }, headers);
  expect(status).toBe(200);
  await expect.poll(() => named('POST /graphql')).toHaveLength(1);
  const [request] = named('POST /graphql');
  const [operation] = named('graphql');
  expect(request?.parentSpanId).toBe('b7ad6b7169203331');
  expect(attributesOf(request as Span)).toMatchObject({ 'http.route': '/graphql', 'http.response.status_code': 200 });
  expect(operation?.parentSpanId).toBe(request?.spanId);
  const statements = named('SELECT').concat(named('WITH'));
  expect(statements.map(({ parentSpanId }) => parentSpanId)).toContain(operation?.spanId);
  for (const statement of statements) expect(attributesOf(statement)['db.query.text']).toMatch(/select/i);
  expect(services).toEqual(new Set(['docs']));
});

test('traces contain no values', async () => {
  const headers = { traceparent: `00-${TRACE}-b7ad6b7169203332-01` };
  const title = 'A very private title';
  const before = named('POST /v1/orgs').length;
  expect((await client.send('POST', '/v1/orgs', { title }, headers)).status).toBe(201);
  await expect.poll(() => named('POST /v1/orgs').length).toBe(before + 1);
  expect(named('INSERT').length).toBeGreaterThan(0);
  expect(JSON.stringify(spans)).not.toContain(title);
  expect(JSON.stringify(spans)).not.toContain(TOKEN);
});

test('a background job is its own trace, with its statements', async () => {
  await administer(database.url, `insert into pgboss.job (name) values ('remove-expired-uploads')`);
  const jobs = () => spans.filter(({ name }) => name === 'job remove-expired-uploads');
  await expect.poll(jobs).toHaveLength(1);
  const [job] = jobs();
  expect(job?.parentSpanId ?? '').toBe('');
  const below = spans.filter(({ parentSpanId }) => parentSpanId === job?.spanId);
  expect(below.map(({ attributes }) => attributesOf({ attributes })['db.system.name'])).toContain('postgresql');
}, 20_000);

test('shutdown exports the remaining spans', async () => {
  const before = spans.length;
  expect((await client.get('/v1/orgs')).status).toBe(200);
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
  expect(spans.slice(before).map(({ name }) => name)).toContain('GET /v1/orgs');
});
