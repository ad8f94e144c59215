import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sql } from 'kysely';
import pino from 'pino';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { moveHead } from '../../src/domain/store/heads/index.ts';
import { insertRevision } from '../../src/domain/store/revisions/index.ts';
import { nodeSource } from '../../src/domain/store/trees/index.ts';
import type { Context } from '../../src/platform/context/context.ts';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { transact } from '../../src/platform/operation/transact.ts';
import { SECRET_KEY } from './database.ts';
import { writeTree } from './fill/content.ts';
import { fillPeople, type Staff, TOKENS } from './fill/people.ts';
import { makeDraw } from './fill/prose.ts';

/*
 * What grows with the size of a space, and what does not: time, statements, rows written and the longest tick of the event
 * loop of one operation after the other, in spaces of 200, 2,000 and 20,000 pages, with 6 and with 500 children to a page.
 * Ends with exit code 1 if a turn is longer than LONGEST_TURN_MS, or a size takes MORE_STATEMENTS than the first one.
 *
 *   node test/bench/growth.ts [sizes, separated by commas]
 */

const SIZES = (process.argv[2] ?? '200,2000,20000').split(',').map(Number);
const SHAPES = { deep: 6, wide: 500 };
const ROUNDS = 9;
const LONGEST_TURN_MS = 100;
/** Deeper trees take a few more. */
const MORE_STATEMENTS = 10;
/** Length of a response that is not parsed, in UTF-16 units. */
const LONG = 500_000;

interface Sample {
  ms: number;
  statements: number;
  rows: number;
  /** The longest tick of the event loop, in milliseconds. */
  held: number;
}

/** A filled space, and what is picked from it. */
interface Subject {
  app: App;
  url: string;
  spaceId: string;
  /** Pages without children, each to be changed once. */
  leaves: { id: string; path: string }[];
  /** Pages with the most below them. */
  sections: string[];
}

const directory = await mkdtemp(join(tmpdir(), 'stemma-growth-'));
const dataDir = await openDataDir(join(directory, 'database'));
const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
const config = readConfig({
  PORT: '0',
  WORKERS: '0',
  DEMO: '0',
  SERVER_TIMING: '1',
  DATABASE_POOL: '2',
  RATE_LIMIT: '0',
  QUERY_COST_PER_MINUTE: '0',
  DATA_DIR: join(directory, 'service'),
  STATEMENT_TIMEOUT_MS: '600000',
  REQUEST_TIMEOUT_MS: '600000',
});
const app = await createApp({ config, databaseUrl: server.url, secretKey: SECRET_KEY, log: pino({ level: 'error' }) });
const url = `http://127.0.0.1:${await app.listen()}`;
try {
  const [staff] = await fillPeople(app.services.db, 1);
  if (!staff) throw new Error('There is an organization.');
  const columns = new Map<string, Map<string, Sample>>();
  for (const [shape, children] of Object.entries(SHAPES)) {
    for (const pages of SIZES) {
      const subject = await newSubject(staff, pages, children);
      columns.set(`${pages} ${shape}`, await measureAll(subject));
      console.error(`${pages} pages, ${shape}: done`);
    }
  }
  print(columns);
  const missed = [...missedIn(columns), ...missedBy(await once(staff))];
  console.log(`\nBounds: turns of ${LONGEST_TURN_MS} ms, ${MORE_STATEMENTS} statements more than at the first size.`);
  for (const line of missed) console.log(`Missed: ${line}`);
  if (missed.length > 0) process.exitCode = 1;
} finally {
  await app.close();
  await server.stop();
  dataDir.close();
  await rm(directory, { recursive: true, force: true });
}

async function newSubject(staff: Staff, pages: number, children: number): Promise<Subject> {
  const { id: spaceId } = await call('POST', `/v1/orgs/${staff.organizationId}/spaces`, {
    title: `${pages}`,
    empty: true,
  });
  const { db } = app.services;
  const space = await db.selectFrom('space').where('id', '=', spaceId).selectAll().executeTakeFirstOrThrow();
  const from = await db.selectFrom('revision').where('id', '=', space.revisionId).selectAll().executeTakeFirstOrThrow();
  const authorId = staff.authorIds[0] ?? '';
  await transact(contextOf(authorId), async (ctx) => {
    const { rootHash } = await writeTree(ctx, makeDraw(pages + children), { ...staff, authorId, pages, children });
    const none = { filesHash: null, reusableContentsHash: null, variablesHash: null, tagsHash: null };
    const to = await insertRevision(ctx, {
      organizationId: staff.organizationId,
      spaceId,
      type: 'edits',
      parents: [from.id],
      rootHash,
      ...none,
    });
    await moveHead(ctx, space, from, to, nodeSource(ctx.db, staff.organizationId));
  });
  await sql`vacuum analyze`.execute(db);
  const { rows: leaves } = await sql<{ id: string; path: string }>`
    select h.page_id as id, h.path from head_page h where h.space_id = ${spaceId}
      and not exists (select from head_page c where c.space_id = h.space_id and c.parent_id = h.page_id)
    order by md5(h.page_id) limit 60`.execute(db);
  const { rows: sections } = await sql<{ id: string }>`
    select page_id as id from head_page where space_id = ${spaceId} and parent_id is null order by position limit 6`.execute(
    db,
  );
  return { app, url, spaceId, leaves, sections: sections.map(({ id }) => id) };
}

function contextOf(userId: string): Context {
  return {
    actor: { kind: 'user', userId, isOperator: false, by: 'session' },
    em: app.services.em.fork(),
    db: app.services.db,
    services: app.services,
    requestId: 'growth',
    log: app.services.log,
    inTransaction: false,
  };
}

interface Answer {
  id: string;
  [member: string]: unknown;
}

/** Sends a request as the admin. */
async function send(method: string, path: string, body?: unknown): Promise<{ answer: Answer; statements: number }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKENS.admin}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // Long responses are not parsed: that would hold the event loop, which the service shares. Every answer is an object.
  const answer = text.length > LONG && response.ok ? { id: '' } : (JSON.parse(text) as Answer);
  if (!response.ok || answer.errors) throw new Error(`${method} ${path}: ${JSON.stringify(answer).slice(0, 500)}`);
  const statements = Number(/desc="(\d+)"/.exec(response.headers.get('server-timing') ?? '')?.[1]);
  return { answer, statements };
}

async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  return (await send(method, path, body)).answer;
}

/** Rows of the content's tables written so far. Sessions tell what they did with their next statement. */
async function rowsWritten(): Promise<number> {
  const { db } = app.services;
  const flush = () => sql`select pg_stat_force_next_flush()`.execute(db);
  await Promise.all([flush(), flush()]);
  await Promise.all([flush(), flush()]);
  const { rows } = await sql<{ written: number }>`
    select sum(n_tup_ins + n_tup_upd + n_tup_del)::int as written from pg_stat_user_tables where schemaname = 'public'`.execute(
    db,
  );
  return rows[0]?.written ?? 0;
}

/** The median of several runs. */
async function sample(run: (round: number) => Promise<{ statements: number }>, rounds = ROUNDS): Promise<Sample> {
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await rowsWritten();
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    const begun = performance.now();
    const { statements } = await run(round);
    const ms = performance.now() - begun;
    loop.disable();
    samples.push({ ms, statements, rows: (await rowsWritten()) - before, held: loop.max / 1e6 });
  }
  const median = (pick: (sample: Sample) => number) =>
    samples.map(pick).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  return {
    ms: median(({ ms }) => ms),
    statements: median(({ statements }) => statements),
    rows: median(({ rows }) => rows),
    held: median(({ held }) => held),
  };
}

async function measureAll({ spaceId, leaves, sections }: Subject): Promise<Map<string, Sample>> {
  const found = new Map<string, Sample>();
  const leaf = (index: number) => leaves[index] ?? leaves[0] ?? { id: '', path: '' };
  const content = `/v1/spaces/${spaceId}/content`;
  const update = (page: string | undefined, what: object) => ({
    changes: [{ operation: 'update_page', page, ...what }],
  });
  const markdown = (text: string) => ({ document: { markdown: `${text}.\n\n${'Some more of it. '.repeat(80)}` } });

  const measured = async (name: string, run: (round: number) => Promise<{ statements: number }>, rounds?: number) => {
    await run(ROUNDS);
    found.set(name, await sample(run, rounds));
  };
  await measured('change one page', (round) =>
    send('POST', content, update(leaf(round).id, markdown(`Changed ${round}`))),
  );
  await measured(
    'rename a section of the top',
    (round) => send('POST', content, update(sections[0], { title: `Section ${round}`, slug: `section-${round}` })),
    3,
  );
  await measured('read one page by path', (round) =>
    send('GET', `${content}/path/${encodeURIComponent(leaf(round + 10).path)}`),
  );
  await measured('read the tree', () => send('GET', `${content}/pages`), 3);
  await measured('list 50 links', () => send('GET', `/v1/spaces/${spaceId}/links?limit=50`), 3);
  await measured('search', (round) =>
    send('GET', `/v1/spaces/${spaceId}/search?query=${['token schema', 'database', 'webhook secr'][round % 3]}`),
  );
  await measured('duplicate the space', () => send('POST', `/v1/spaces/${spaceId}/duplicate`, {}), 3);
  await measured('create a change request', () =>
    send('POST', `/v1/spaces/${spaceId}/change-requests`, { subject: 'Bench' }),
  );
  const proposals: string[] = [];
  const propose = async (round: number) => {
    const { id } = await call('POST', `/v1/spaces/${spaceId}/change-requests`, { subject: 'Bench' });
    const answer = await send(
      'POST',
      `/v1/spaces/${spaceId}/change-requests/${id}/content`,
      update(leaf(round + 20).id, markdown(`Proposed ${round}`)),
    );
    proposals.push(id);
    return answer;
  };
  for (let round = 0; round <= ROUNDS; round++) await propose(round);
  await measured('change one page in a change request', (round) =>
    send(
      'POST',
      `/v1/spaces/${spaceId}/change-requests/${proposals[0]}/content`,
      update(leaf(20).id, markdown(`Again ${round}`)),
    ),
  );
  await measured('merge a change of one page', (round) =>
    send('POST', `/v1/spaces/${spaceId}/change-requests/${proposals[round]}/merge`),
  );
  return found;
}

function print(columns: Map<string, Map<string, Sample>>): void {
  const names = [...(columns.values().next().value?.keys() ?? [])];
  console.log(`| ms · statements · rows written · longest turn | ${[...columns.keys()].join(' | ')} |`);
  console.log(`| --- |${' ---: |'.repeat(columns.size)}`);
  for (const name of names) {
    const cells = [...columns.values()].map((samples) => {
      const { ms = 0, statements = 0, rows = 0, held = 0 } = samples.get(name) ?? {};
      return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} · ${statements} · ${rows} · ${Math.round(held)}`;
    });
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}

/** The bounds that operations miss at a size, each shape against its first size. */
function missedIn(columns: Map<string, Map<string, Sample>>): string[] {
  return [...columns].flatMap(([column, samples]) => {
    const first = columns.get(`${SIZES[0]} ${column.split(' ')[1]}`);
    const more = [...samples].flatMap(([name, { statements }]) => {
      const atFirst = first?.get(name)?.statements ?? 0;
      return statements > atFirst + MORE_STATEMENTS ? [`${name}: ${statements} statements instead of ${atFirst}`] : [];
    });
    return [...more, ...missedBy(samples)].map((line) => `${column}: ${line}`);
  });
}

function missedBy(samples: Map<string, Sample>): string[] {
  const long = [...samples].filter(([, { held }]) => held > LONGEST_TURN_MS);
  return long.map(([name, { held }]) => `${name}: a turn of ${Math.round(held)} ms`);
}

/** What is measured once: large merges, and a page of comments. */
async function once(staff: Staff): Promise<Map<string, Sample>> {
  const { spaceId, leaves } = await newSubject(staff, 2_000, 6);
  const proposal = async (changes: object[][]) => {
    const { id } = await call('POST', `/v1/spaces/${spaceId}/change-requests`, { subject: 'Large' });
    for (const part of changes)
      await call('POST', `/v1/spaces/${spaceId}/change-requests/${id}/content`, { changes: part });
    return id;
  };
  const merge = (id: string) => sample(() => send('POST', `/v1/spaces/${spaceId}/change-requests/${id}/merge`), 1);
  const { rows: pages } = await sql<{ id: string }>`
    select page_id as id from head_page where space_id = ${spaceId} order by md5(page_id) limit 500`.execute(
    app.services.db,
  );
  const edits = pages.map(({ id }) => ({
    operation: 'update_page',
    page: id,
    document: { markdown: `New words for ${id}.` },
  }));
  const parts = Array.from({ length: 10 }, (_, index) => edits.slice(index * 50, index * 50 + 50));
  const found = new Map([['merge of 500 changed pages of 2,000', await merge(await proposal(parts))]]);

  const blocks = Array.from({ length: 5_000 }, (_, index) => `Block number ${index}.`);
  const [page] = leaves;
  const write = (lines: string[]) => [
    [{ operation: 'update_page', page: page?.id, document: { markdown: lines.join('\n\n') } }],
  ];
  await call('POST', `/v1/spaces/${spaceId}/content`, { changes: write(blocks)[0] });
  const theirs = await proposal(write(blocks.map((block, index) => (index % 10 === 3 ? `${block} Theirs.` : block))));
  await call('POST', `/v1/spaces/${spaceId}/content`, {
    changes: write(blocks.map((block, index) => (index % 10 === 7 ? `${block} Main.` : block)))[0],
  });
  found.set('merge of 500 blocks with 500 others changed in a body of 5,000', await merge(theirs));

  for (let index = 0; index < 100; index++) {
    await call('POST', `/v1/spaces/${spaceId}/comments`, { body: { markdown: `Remark ${index}` } });
  }
  const query = `query($id: ID!) { space(id: $id) { comments(first: 100) { nodes {
    id body { markdown } postedBy { id displayName } reactions { emoji count } permissions { view edit reply delete } } } } }`;
  const listed = await sample(() => send('POST', '/graphql', { query, variables: { id: spaceId } }));
  found.set('100 comments with authors, reactions and permissions', listed);
  console.log();
  for (const [name, sample] of found) console.log(`${name}: ${told(sample)}`);
  return found;
}

function told({ ms, statements, rows, held }: Sample): string {
  return `${Math.round(ms)} ms, ${statements} statements, ${rows} rows written, longest turn ${Math.round(held)} ms`;
}
