import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded.ts';
import { enlarge } from '../publishing/large-site.ts';
import { SECRET_KEY } from './database.ts';
import { fillPeople, TOKENS } from './fill/people.ts';

/*
 * Measures what a renderer reads of a large site, and moving a part of it: milliseconds, and statements by `Server-Timing`.
 *
 *   node test/bench/sites.ts [SECTIONS] [SPACES PER SECTION]
 */

/** What settings of a site and a renderer ask for. */
const STRUCTURE = `query Structure($site: ID!) { site(id: $site) { structure { ... on SiteSectionsStructure { structure {
  ... on SiteSection { id title path icon default urls { published }
    siteSpaces { id title path default urls { published } space { id title visibility urls { published } } } } } } } } }`;

const [SECTIONS, SPACES] = [Number(process.argv[2] ?? 200), Number(process.argv[3] ?? 10)];
const REPETITIONS = 20;
const WARM_UP = 6;

const directory = await mkdtemp(join(tmpdir(), 'stemma-sites-'));
const dataDir = await openDataDir(directory);
const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
const config = readConfig({
  PORT: '0',
  DEMO: '0',
  RATE_LIMIT: '0',
  WORKERS: '0',
  SERVER_TIMING: '1',
  QUERY_COST_PER_MINUTE: '0',
  MAX_ANSWER_MB: '100',
  DATA_DIR: join(directory, 'service'),
});
const app = await createApp({ config, databaseUrl: server.url, secretKey: SECRET_KEY, log: pino({ level: 'error' }) });
try {
  const url = `http://127.0.0.1:${await app.listen()}`;
  const [staff] = await fillPeople(app.services.db, 1);
  if (!staff) throw new Error('There is no organization.');
  const organization = `${url}/v1/orgs/${staff.organizationId}`;
  const space = await send('POST', `${organization}/spaces`, { title: 'Guides' });
  const site = await send('POST', `${organization}/sites`, { title: 'Docs', spaces: [space.body.id] });
  const path = `${organization}/sites/${site.body.id}`;
  await send('POST', `${path}/sections`, { spaceId: space.body.id, title: 'First' });
  await enlarge(app.services.db, site.body.id, { spaceId: space.body.id, sections: SECTIONS, spaces: SPACES });
  await send('POST', `${path}/publish`);
  console.log(`${SECTIONS} sections with ${SPACES} spaces each`);
  await measure('structure', () => send('GET', `${path}/structure`));
  await measure('published', () => send('GET', `${path}/published`));
  const graph = (query: string) => send('POST', `${url}/graphql`, { query, variables: { site: site.body.id } });
  await measure('structure in the graph', () => graph(STRUCTURE));
  const sections = (await send('GET', `${path}/sections?limit=2`)).body.items;
  const move = (count: number) =>
    send('PATCH', `${path}/structure/sort`, {
      item: { type: 'site-section', id: sections[(count + 1) % 2].id },
      position: { before: { type: 'site-section', id: sections[count % 2].id } },
    });
  await measure('move', move);
  await measure('move in the graph', (count) =>
    graph(
      `mutation { sortSiteStructure(input: { siteId: "${site.body.id}", itemId: "${sections[(count + 1) % 2].id}", position: { beforeId: "${sections[count % 2].id}" } }) { site { id } } }`,
    ),
  );
  const address = (await send('GET', path)).body.urls.published;
  await measure('resolve', () => send('POST', `${url}/v1/urls/published`, { url: `${address}start` }));
} finally {
  await app.close();
  await server.stop();
  dataDir.close();
  await rm(directory, { recursive: true, force: true });
}

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: as it came.
  body: any;
  statements: string;
  /** When the last byte came, before it was parsed. */
  endedAt: number;
}

async function send(method: string, address: string, body?: object): Promise<Answer> {
  const response = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${TOKENS.admin}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const endedAt = performance.now();
  const answer = text === '' ? {} : JSON.parse(text);
  if (!response.ok || answer.errors)
    throw new Error(`${method} ${address}: ${response.status} ${text.slice(0, 1_000)}`);
  return {
    body: answer,
    endedAt,
    statements: /desc="(\d+)"/.exec(response.headers.get('server-timing') ?? '')?.[1] ?? '',
  };
}

async function measure(name: string, act: (count: number) => Promise<Answer>): Promise<void> {
  const times: number[] = [];
  let statements = '';
  for (let count = 0; count < WARM_UP; count++) await act(count);
  const before = process.cpuUsage();
  for (let count = 0; count < REPETITIONS; count++) {
    const began = performance.now();
    const answer = await act(count);
    statements = answer.statements;
    times.push(answer.endedAt - began);
  }
  const { user, system } = process.cpuUsage(before);
  const cpu = ((user + system) / 1_000 / REPETITIONS).toFixed(1);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  console.log(
    `${name}: ${at(0)} ms (best), ${at(0.5)} ms (median), ${at(0.95)} ms (95%), ${cpu} ms of CPU with the client, ${statements} statements`,
  );
}
