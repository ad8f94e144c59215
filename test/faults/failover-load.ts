import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../bench/processes.ts';
import { GitRepository } from '../git-server.ts';
import { send } from './callers.ts';

export const TOKEN = 'stemma_the_token_of_the_fault_tests';
/** A lease has to expire, and a standby has to be copied again at the worst. */
const GIVE_UP_AFTER_MS = 180_000;
/** Four attempts. After each, its heartbeats have to be missing for 20 seconds, and the next one waits longer. */
const RUN_ENDS_WITHIN_MS = 420_000;

/** What callers did, and what they found wrong. */
export class Load {
  readonly statuses: Record<string, number> = {};
  readonly faults: string[] = [];
  /** Sentences that were merged, texts of comments, titles of pages, by what was acknowledged. */
  readonly merges: string[] = [];
  readonly comments: string[] = [];
  readonly exports: string[] = [];
  readonly gitImports: string[] = [];
  conversations = 0;
  /** Statuses of the imports of a website, by number of runs. */
  readonly imports: Record<string, number> = {};
  reads = 0;
  /** The change request that was merged last. */
  lastMerged: string | undefined;
  isOver = false;

  /** The numbers of what was acknowledged. */
  summary() {
    const { merges, comments, conversations, imports, exports, gitImports, reads } = this;
    return {
      merges: merges.length,
      comments: comments.length,
      conversations,
      imports: imports.completed ?? 0,
      exports: exports.length,
      gitImports: gitImports.length,
      reads,
    };
  }
}

export interface Body {
  id: string;
  status: string;
  result: string;
  items: (Body & QueueBody)[];
  pages: (Body & { title: string })[];
  next: { page: string } | undefined;
  error: { message: string };
  data: { space: { comments: { totalCount: number } } | null; changeRequest: { status: string } | null };
  errors: { extensions: { code: string } }[] | undefined;
}

interface QueueBody {
  name: string;
  ready: number;
  waiting: number;
  active: number;
  dead: number;
}

export type Call = (method: string, path: string, body?: unknown, key?: string) => Promise<Body>;

/** Sends requests to servers by turns, each until it is acknowledged, with the same key. */
export function callerOf(servers: readonly ServerProcess[], { statuses }: Load): Call {
  let turns = 0;
  return async (method, path, body, key) => {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    for (const begun = performance.now(); ; ) {
      const server = servers[turns++ % servers.length];
      if (server?.isRunning() === false) throw new Error(`${server.url} has ended.`);
      if (performance.now() - begun > GIVE_UP_AFTER_MS)
        throw new Error(`${method} ${path} was not acknowledged in time.`);
      const url = server?.url ?? '';
      const response = await send({ url, token: TOKEN }, path, { method, body, headers });
      const text = await response?.text().catch(() => undefined);
      const status = text === undefined ? 'broken' : String(response?.status);
      const answer: Body | undefined = response?.ok && text ? JSON.parse(text) : undefined;
      const isUnavailable = answer?.errors?.every(({ extensions }) => extensions.code === 'SERVICE_UNAVAILABLE');
      const counted = isUnavailable ? 'unavailable in the graph' : status;
      statuses[counted] = (statuses[counted] ?? 0) + 1;
      if (response?.ok && text !== undefined && !isUnavailable) return answer ?? ({} as Body); // without a body
      const isRunning = status === '409' && text?.includes('same idempotency key is running');
      if (!isUnavailable && status !== 'broken' && status !== '503' && !isRunning)
        throw new Error(`${method} ${path}: ${status} ${text}`);
      await sleep(100);
    }
  };
}

export interface Scene {
  load: Load;
  call: Call;
  organizationId: string;
  spaceId: string;
  /** Spaces that are exported to the branch `main`, and imported from `source`. */
  exportedId: string;
  importedId: string;
  gitdir: string;
  gitUrl: string;
  siteUrl: string;
}

/** Starts all callers. A fault ends its caller and is noted. */
export async function runCallers(scene: Scene): Promise<void> {
  const { load, call, spaceId } = scene;
  const { pages } = await call('GET', `/v1/spaces/${spaceId}/content/pages`);
  const callers = [
    ...pages.map(({ id }, index) => merge(scene, id, `writer ${index}`)),
    comment(scene, pages[0]?.id ?? ''),
    ingest(scene),
    importSites(scene),
    exportToGit(scene),
    importFromGit(scene),
    readOverRest(scene),
    readOverGraph(scene),
  ];
  await Promise.all(callers.map((caller) => caller.catch((error) => load.faults.push(String(error)))));
}

/** Makes change requests and merges them. Each adds a sentence to the writer's page. */
async function merge({ load, call, spaceId }: Scene, page: string, name: string): Promise<void> {
  const paragraphs = ['It begins.'];
  for (let number = 1; !load.isOver; number++) {
    const sentence = `Said ${number} by ${name}.`;
    const key = `${name} ${number}`;
    paragraphs.push(sentence);
    const changes = [{ operation: 'update_page', page, document: { markdown: paragraphs.join('\n\n') } }];
    const all = `/v1/spaces/${spaceId}/change-requests`;
    const { id } = await call('POST', all, { subject: sentence }, key);
    await call('POST', `${all}/${id}/content`, { changes }, key);
    const { result } = await call('POST', `${all}/${id}/merge`, undefined, key);
    if (result !== 'merge') throw new Error(`Merging ${id} came to ${result}.`);
    load.merges.push(sentence);
    load.lastMerged = id;
  }
}

async function comment({ load, call, spaceId }: Scene, page: string): Promise<void> {
  for (let number = 1; !load.isOver; number++) {
    const text = `Comment ${number}.`;
    await call('POST', `/v1/spaces/${spaceId}/comments`, { page, body: { markdown: text } }, text);
    load.comments.push(text);
    await sleep(100);
  }
}

async function ingest({ load, call, organizationId }: Scene): Promise<void> {
  const path = `/v1/orgs/${organizationId}/conversations`;
  for (let number = 1; !load.isOver; number++) {
    const parts = [{ type: 'message', role: 'user', body: `How do I ask question ${number}?` }];
    await call('POST', path, { id: `c${number}`, parts }, `conversation ${number}`);
    load.conversations = number;
    await sleep(200);
  }
}

/**
 * Imports the website into new spaces, one after the other. A run that a failover has ended must have written nothing.
 */
async function importSites({ load, call, organizationId, siteUrl }: Scene): Promise<void> {
  for (let number = 1; !load.isOver; number++) {
    const key = `import ${number}`;
    const { id: space } = await call('POST', `/v1/orgs/${organizationId}/spaces`, { title: key, empty: true }, key);
    const input = { source: { type: 'website', url: siteUrl }, target: { space } };
    const run = await call('POST', `/v1/org/${organizationId}/imports`, input, key);
    const status = await endOf(call, `/v1/org/${organizationId}/imports/${run.id}`);
    const { pages } = await call('GET', `/v1/spaces/${space}/content/pages`);
    const titles = pages.map(({ title }) => title).join();
    if (titles !== (status === 'completed' ? 'Home,A page' : ''))
      load.faults.push(`Import ${number} is ${status}: ${titles}`);
    load.imports[status] = (load.imports[status] ?? 0) + 1;
  }
}

async function exportToGit(scene: Scene): Promise<void> {
  const { load, call, exportedId } = scene;
  for (let number = 1; !load.isOver; number++) {
    const title = `Exported ${number}`;
    const changes = [{ operation: 'insert_page', title, document: { markdown: `Text of ${title}.` } }];
    await call('POST', `/v1/spaces/${exportedId}/content`, { changes }, title);
    await synchronize(scene, 'export', title);
    load.exports.push(title);
  }
}

/** Commits a page to the branch, and imports the branch. */
async function importFromGit(scene: Scene): Promise<void> {
  const { load, call, importedId, gitdir } = scene;
  const repository = new GitRepository(gitdir, '');
  for (let number = 1; !load.isOver; number++) {
    const title = `Imported ${number}`;
    await repository.commit({ [`imported-${number}.md`]: `# ${title}\n` }, 'source');
    const status = await synchronize(scene, 'import', title);
    const { pages } = await call('GET', `/v1/spaces/${importedId}/content/pages`);
    if (status === 'completed' && !pages.some((page) => page.title === title))
      load.faults.push(`"${title}" is missing after its import.`);
    load.gitImports.push(title);
  }
}

/** Starts a run in one direction and waits for its end. Returns its status. */
export async function synchronize(
  { call, exportedId, importedId, gitUrl }: Scene,
  direction: 'export' | 'import',
  key: string,
): Promise<string> {
  const git = `/v1/spaces/${direction === 'export' ? exportedId : importedId}/git`;
  const input =
    direction === 'export'
      ? { url: gitUrl, ref: 'refs/heads/main', commitMessage: 'Update the docs' }
      : { url: gitUrl, ref: 'refs/heads/source' };
  await call('POST', `${git}/${direction}`, input, key);
  const { items } = await call('GET', `${git}/runs`);
  return endOf(call, `${git}/runs/${items[0]?.id}`);
}

/**
 * The status of a run at its end. The job of a run is interrupted by each failover and then waits for its next attempt.
 */
async function endOf(call: Call, path: string): Promise<string> {
  for (const until = Date.now() + RUN_ENDS_WITHIN_MS; ; await sleep(200)) {
    const { status } = await call('GET', path);
    if (status !== 'pending' && status !== 'in-progress') return status;
    if (Date.now() > until) throw new Error(`${path} is ${status} after ${RUN_ENDS_WITHIN_MS / 1_000} seconds.`);
  }
}

/** Reads the change request that was merged last before the request. */
async function readOverRest({ load, call, spaceId }: Scene): Promise<void> {
  for (; !load.isOver; await sleep(100)) {
    const { lastMerged } = load;
    if (lastMerged === undefined) continue;
    const { status } = await call('GET', `/v1/spaces/${spaceId}/change-requests/${lastMerged}`);
    if (status !== 'merged') load.faults.push(`${lastMerged} was merged, and read as ${status} over REST.`);
    load.reads++;
  }
}

const QUERY = `query ($space: ID!, $changeRequest: ID!) {
  space(id: $space) { comments(first: 1) { totalCount } }
  changeRequest(id: $changeRequest) { status }
}`;

/**
 * Reads the same in the graph, and the number of comments, which must not be less than those that were acknowledged.
 */
async function readOverGraph({ load, call, spaceId }: Scene): Promise<void> {
  for (; !load.isOver; await sleep(100)) {
    const { lastMerged, comments } = load;
    if (lastMerged === undefined) continue;
    const written = comments.length;
    const variables = { space: spaceId, changeRequest: lastMerged };
    const { data, errors } = await call('POST', '/graphql', { query: QUERY, variables });
    if (errors !== undefined) throw new Error(`The graph answered ${JSON.stringify(errors)}.`);
    const count = data.space?.comments.totalCount ?? 0;
    if (count < written) load.faults.push(`The graph shows ${count} of ${written} comments.`);
    if (data.changeRequest?.status !== 'MERGED')
      load.faults.push(`${lastMerged} was merged, and read as ${data.changeRequest?.status} in the graph.`);
    load.reads++;
  }
}
