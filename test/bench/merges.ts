import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { startService } from './processes.ts';

/*
 * How long a merge takes, with the primary content moved on meanwhile: of one page in spaces of several sizes, of many pages,
 * and of one long page. One caller, nothing else to do.
 *
 *   node test/bench/merges.ts [pages …]      default: 200 2000 20000
 */

const TOKEN = 'stemma_the_token_of_the_benchmark_of_merges';
const MERGES = 15;
const CHANGED_PAGES = 500;
const BLOCKS = 5_000;
/** The page of many blocks as it is. */
const blocks = Array.from({ length: BLOCKS }, (_, index) => `Block ${index}.`);
const sizes = process.argv.slice(2).map(Number);

const directory = await mkdtemp(join(tmpdir(), 'stemma-merges-'));
const dataDir = await openDataDir(join(directory, 'database'));
const database = await startEmbeddedPostgres({ dataDir, log: () => {} });
const service = await startService({
  databaseUrl: database.url,
  dataDir: join(directory, 'service'),
  countsStatements: true,
  environment: { BOOTSTRAP_TOKEN: TOKEN, LOG_LEVEL: 'error' },
});

interface Figure {
  what: string;
  merges: number;
  medianMs: number;
  longestMs: number;
  statements: number;
  longestDelayMs: number;
}

try {
  const figures: Figure[] = [];
  for (const pages of sizes.length > 0 ? sizes : [200, 2_000, 20_000]) {
    const space = await makeSpace(pages);
    figures.push(await measured(`one page of ${pages}`, MERGES, (round) => oneOfMany(space, round)));
  }
  const wide = await makeSpace(CHANGED_PAGES + 1);
  figures.push(await measured(`${CHANGED_PAGES} changed pages`, 3, (round) => manyPages(wide, round)));
  const long = await makeSpace(1, blocks.join('\n\n'));
  figures.push(await measured(`a page of ${BLOCKS} blocks`, 5, (round) => longPage(long, round)));
  console.table(figures);
} finally {
  await service.stop();
  await database.stop();
  dataDir.close();
  await rm(directory, { recursive: true, force: true });
}

interface Space {
  path: string;
  pageIds: string[];
}

async function send(path: string, body?: unknown): Promise<{ answer: Record<string, never>; statements: number }> {
  const response = await fetch(`${service.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: an answer is of the shape that its address says.
  const answer = (await response.json()) as any;
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  const timing = response.headers.get('server-timing') ?? '';
  return { answer, statements: Number(/desc="(\d+)"/.exec(timing)?.[1]) };
}

/** A space of so many pages, 100 below each at the top. */
async function makeSpace(pages: number, markdown = 'First.\n\nSecond.'): Promise<Space> {
  const { answer: organizations } = await send('/v1/orgs');
  const [organization] = organizations.items as unknown as { id: string }[];
  const { answer: space } = await send(`/v1/orgs/${organization?.id}/spaces`, { title: 'Measured', empty: true });
  const path = `/v1/spaces/${space.id}`;
  const pageIds: string[] = [];
  for (let parent: string | undefined; pageIds.length < pages; ) {
    const into = pageIds.length % 100 === 0 ? undefined : parent;
    const count = Math.min(into === undefined ? 1 : 33, pages - pageIds.length, 100 - (pageIds.length % 100));
    const changes = Array.from({ length: count }, (_, index) => ({
      operation: 'insert_page',
      title: `Page ${pageIds.length + index}`,
      document: { markdown },
      ...(into === undefined ? {} : { into }),
    }));
    const { answer } = await send(`${path}/content`, { changes });
    const made = (answer.changes as unknown as { page: { id: string } }[]).map(({ page }) => page.id);
    if (into === undefined) [parent] = made;
    pageIds.push(...made);
  }
  return { path, pageIds };
}

function write(page: string | undefined, markdown: string) {
  return { operation: 'update_page', page, document: { markdown } };
}

/** A change request with changes of its own, and others on the primary content meanwhile; answers its address. */
async function diverge({ path }: Space, ours: object[], theirs: object[]): Promise<string> {
  const { answer } = await send(`${path}/change-requests`, {});
  const changeRequest = `${path}/change-requests/${answer.id}`;
  for (let from = 0; from < ours.length; from += 50) {
    await send(`${changeRequest}/content`, { changes: ours.slice(from, from + 50) });
  }
  await send(`${path}/content`, { changes: theirs });
  return changeRequest;
}

/** Both sides change the same page, in different blocks. */
function oneOfMany(space: Space, round: number) {
  const page = space.pageIds[(round * 37) % space.pageIds.length];
  return diverge(space, [write(page, `Ours ${round}.\n\nSecond.`)], [write(page, `First.\n\nTheirs ${round}.`)]);
}

function manyPages(space: Space, round: number) {
  const [first, ...rest] = space.pageIds;
  return diverge(
    space,
    rest.map((page) => write(page, `Ours ${round}.`)),
    [write(first, `Theirs ${round}.`)],
  );
}

/** Both sides change ten blocks each of what the last round left. */
function longPage(space: Space, round: number) {
  const [page] = space.pageIds;
  const before = blocks.map((block) => block);
  const change = (by: string, place: number) =>
    before.map((block, index) => (index % (BLOCKS / 10) === place ? `${block} ${by} ${round}.` : block));
  const [ours, theirs] = [change('Ours', round * 2), change('Theirs', round * 2 + 1)];
  for (const [index, block] of before.entries()) {
    blocks[index] = ours[index] === block ? (theirs[index] ?? block) : (ours[index] ?? block);
  }
  return diverge(space, [write(page, ours.join('\n\n'))], [write(page, theirs.join('\n\n'))]);
}

async function measured(what: string, merges: number, arrange: (round: number) => Promise<string>): Promise<Figure> {
  const times: number[] = [];
  let [most, longestDelayMs] = [0, 0];
  for (let round = 0; round < merges; round++) {
    const changeRequest = await arrange(round);
    await service.usage();
    const begun = performance.now();
    const { answer, statements } = await send(`${changeRequest}/merge`, {});
    times.push(performance.now() - begun);
    if (String(answer.result) !== 'merge') throw new Error(`${what}: ${String(answer.result)}`);
    most = Math.max(most, statements);
    longestDelayMs = Math.max(longestDelayMs, (await service.usage()).longestDelayMs);
  }
  times.sort((a, b) => a - b);
  const [medianMs = 0, longestMs = 0] = [times[Math.floor(times.length / 2)], times.at(-1)].map((time) =>
    Math.round(time ?? 0),
  );
  return { what, merges, medianMs, longestMs, statements: most, longestDelayMs: Math.round(longestDelayMs) };
}
