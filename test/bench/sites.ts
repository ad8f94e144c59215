import { enlarge } from '../publishing/large-site.ts';
import { TOKENS } from './fill/people.ts';
import { type ServerProcess, startService } from './processes.ts';
import { dataDirIn, inService, type Measured, withDatabase } from './with-service.ts';

/*
 * Measures what a renderer reads of a large site, and moving a part of it: milliseconds, CPU of the service, and statements
 * by `Server-Timing`.
 *
 *   node test/bench/sites.ts [SECTIONS] [SPACES PER SECTION] [DIRECTORY FOR A CPU PROFILE]
 */

/** What settings of a site and a renderer ask for. */
const STRUCTURE = `query Structure($site: ID!) { site(id: $site) { structure { ... on SiteSectionsStructure { structure {
  ... on SiteSection { id title path icon default urls { published }
    siteSpaces { id title path default urls { published } space { id title visibility urls { published } } } } } } } } }`;

const [SECTIONS, SPACES] = [Number(process.argv[2] ?? 200), Number(process.argv[3] ?? 10)];
const PROFILE = process.argv[4];
const REPETITIONS = 20;
const WARM_UP = 6;

await withDatabase(async (place) => {
  const address = await inService(place, publish, { WORKERS: '0' });
  const service = await startService({
    databaseUrl: place.databaseUrl,
    dataDir: dataDirIn(place.directory),
    countsStatements: true,
    profile: PROFILE,
    environment: { MAX_ANSWER_MB: '100' },
  });
  try {
    await measureSite(service, address);
  } finally {
    await service.stop();
  }
});

/** Where a large published site is. */
interface SiteAddress {
  siteId: string;
  /** Path in REST. */
  path: string;
  published: string;
}

async function publish({ app, url, organizationId }: Measured): Promise<SiteAddress> {
  const organization = `/v1/orgs/${organizationId}`;
  const { body: space } = await send('POST', `${url}${organization}/spaces`, { title: 'Guides' });
  const { body: site } = await send('POST', `${url}${organization}/sites`, { title: 'Docs', spaces: [space.id] });
  const path = `${organization}/sites/${site.id}`;
  await send('POST', `${url}${path}/sections`, { spaceId: space.id, title: 'First' });
  await enlarge(app.services.db, site.id, { spaceId: space.id, sections: SECTIONS, spaces: SPACES });
  await send('POST', `${url}${path}/publish`);
  const { body } = await send('GET', `${url}${path}`);
  return { siteId: site.id, path, published: body.urls.published };
}

async function measureSite(service: ServerProcess, { siteId, path, published }: SiteAddress): Promise<void> {
  const { url } = service;
  const at = `${url}${path}`;
  const report = (name: string, act: (count: number) => Promise<Answer>) => measure(service, name, act);
  console.log(`${SECTIONS} sections with ${SPACES} spaces each`);
  await report('structure', () => send('GET', `${at}/structure`));
  await report('published', () => send('GET', `${at}/published`));
  const graph = (query: string) => send('POST', `${url}/graphql`, { query, variables: { site: siteId } });
  await report('structure in the graph', () => graph(STRUCTURE));
  const sections = (await send('GET', `${at}/sections?limit=2`)).body.items;
  await report('move', (count) =>
    send('PATCH', `${at}/structure/sort`, {
      item: { type: 'site-section', id: sections[(count + 1) % 2].id },
      position: { before: { type: 'site-section', id: sections[count % 2].id } },
    }),
  );
  await report('move in the graph', (count) =>
    graph(
      `mutation { sortSiteStructure(input: { siteId: "${siteId}", itemId: "${sections[(count + 1) % 2].id}", position: { beforeId: "${sections[count % 2].id}" } }) { site { id } } }`,
    ),
  );
  await report('resolve', () => send('POST', `${url}/v1/urls/published`, { url: `${published}start` }));
  const page = `${url}${new URL(published).pathname}`;
  await report('page', () => read(page));
}

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: as it came.
  body: any;
  statements: string;
  /** When the last byte came, before it was parsed. */
  endedAt: number;
}

async function send(method: string, address: string, body?: object): Promise<Answer> {
  const { text, ...answer } = await timed(address, {
    method,
    headers: { authorization: `Bearer ${TOKENS.admin}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const parsed = text === '' ? {} : JSON.parse(text);
  if (parsed.errors) throw new Error(`${method} ${address}: ${text.slice(0, 1_000)}`);
  return { ...answer, body: parsed };
}

async function read(address: string): Promise<Answer> {
  const { text, ...answer } = await timed(address, {});
  return { ...answer, body: text };
}

async function timed(address: string, request: RequestInit): Promise<Omit<Answer, 'body'> & { text: string }> {
  const response = await fetch(address, request);
  const text = await response.text();
  const endedAt = performance.now();
  if (!response.ok) throw new Error(`${request.method} ${address}: ${response.status} ${text.slice(0, 1_000)}`);
  return { text, endedAt, statements: /desc="(\d+)"/.exec(response.headers.get('server-timing') ?? '')?.[1] ?? '' };
}

async function measure(service: ServerProcess, name: string, act: (count: number) => Promise<Answer>): Promise<void> {
  const times: number[] = [];
  let statements = '';
  for (let count = 0; count < WARM_UP; count++) await act(count);
  const before = await service.usage();
  for (let count = 0; count < REPETITIONS; count++) {
    const began = performance.now();
    const answer = await act(count);
    statements = answer.statements;
    times.push(answer.endedAt - began);
  }
  const after = await service.usage();
  const cpu = ((after.cpuMs - before.cpuMs) / REPETITIONS).toFixed(1);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  console.log(
    `${name}: ${at(0)} ms (best), ${at(0.5)} ms (median), ${at(0.95)} ms (95%), ${cpu} ms of CPU, ${statements} statements`,
  );
}
