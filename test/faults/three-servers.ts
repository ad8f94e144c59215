import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded.ts';
import { SECRET_KEY } from '../bench/database.ts';
import { type ServerProcess, startService } from '../bench/processes.ts';
import { freePort } from '../people/sso/identity-provider.ts';
import { startS3 } from '../platform/s3-service.ts';
import { read, type Seen, send, type Target, write } from './callers.ts';
import { startWorker } from './worker-process.ts';

/*
 * Three servers and a worker behind Debian's nginx with deploy/three-servers/nginx.conf, on one database and one bucket: from
 * nothing to the first page, timed. Then uploads, large bodies and a subscription pass through nginx, and each server is
 * restarted under load. No request may fail.
 *
 *   node test/faults/three-servers.ts
 */

const TOKEN = 'stemma_the_token_of_the_fault_tests';
const ROOT = join(import.meta.dirname, '../..');
const UPLOAD_BYTES = 20_000_000;
const UPSTREAMS = ['server-1', 'server-2', 'server-3'];

if (spawnSync('nginx', ['-v']).status === 0) await run();
else
  console.info('Skipped: three servers behind nginx, because nginx is not installed here (Debian: apt install nginx).');

async function run(): Promise<void> {
  // Built before the clock starts, as in an image.
  execFileSync(process.execPath, [join(ROOT, 'build.mjs')], { stdio: 'inherit' });
  process.env.AWS_ACCESS_KEY_ID = 'S3RVER';
  process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER';
  const directory = await mkdtemp(join(tmpdir(), 'stemma-three-servers-'));
  const closers: (() => unknown)[] = [];
  const begun = performance.now();
  try {
    const dataDir = await openDataDir(join(directory, 'database'));
    closers.push(() => dataDir.close());
    const [database, bucket] = await Promise.all([startEmbeddedPostgres({ dataDir, log: () => {} }), startS3()]);
    closers.push(
      () => database.stop(),
      () => bucket.close(),
    );
    const [port = 0, ...ports] = await freePorts(1 + UPSTREAMS.length);
    const environment = {
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      BOOTSTRAP_TOKEN: TOKEN,
      DATABASE_POOL: '10',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      // As in production. More than `keepalive_timeout` in the configuration of nginx.
      SHUTDOWN_DELAY_MS: '5000',
      STORAGE_URL: `s3://blobs/files?region=us-east-1&endpoint=${bucket.url}`,
      TRUST_PROXY: '1',
    };
    const startServer = (index: number) =>
      startService({
        databaseUrl: database.url,
        dataDir: join(directory, `server-${index}`),
        environment: { ...environment, PORT: String(ports[index]) },
      });
    // All at once on an empty database, as an orchestrator starts them.
    const [servers] = await Promise.all([
      Promise.all(ports.map((_, index) => startServer(index))),
      startWorker({
        ...environment,
        LOG_LEVEL: 'info',
        DATABASE_URL: database.url,
        SECRET_KEY,
        DATA_DIR: join(directory, 'worker'),
      }).then((worker) => closers.push(worker.stop)),
    ]);
    closers.push(() => Promise.all(servers.map((server) => server.stop())));
    const stopProxy = await startNginx(directory, { port, ports });
    closers.push(stopProxy);
    const url = `http://127.0.0.1:${port}`;
    const { spaceId, organizationId } = await firstPage(url);
    const firstPageSeconds = (performance.now() - begun) / 1_000;
    const uploads = await passUploads(url, organizationId, spaceId);
    const restarts = await restartEach({ url, spaceId, servers, startServer });
    report({ firstPageSeconds, ...uploads, ...restarts });
  } finally {
    for (const close of closers.toReversed()) await close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** nginx with the file of the repository, where only names and ports differ. */
async function startNginx(directory: string, { port, ports }: { port: number; ports: number[] }) {
  let text = await readFile(join(ROOT, 'deploy/three-servers/nginx.conf'), 'utf8');
  for (const [index, name] of UPSTREAMS.entries()) text = text.replace(`${name}:4000`, `127.0.0.1:${ports[index]}`);
  text = text.replace('listen 80;', `listen 127.0.0.1:${port};`);
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/nginx-${name};`)
    .join(' ');
  const file = join(directory, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; pid ${directory}/nginx.pid; error_log ${directory}/nginx.log warn; worker_processes 2; events {}
http { access_log off; ${own}
${text}
}`,
  );
  const child = spawn('nginx', ['-c', file, '-e', `${directory}/nginx.log`], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}

interface Body {
  id: string;
  items: { id: string; title: string; downloadURL: string }[];
  changes: { page?: { id: string } }[];
}

/** Sends a request that must succeed. nginx may need a moment to listen. */
async function must(url: string, path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') {
  for (let attempt = 1; ; attempt++) {
    const response = await send({ url, token: TOKEN }, path, { method, body });
    if (response?.ok) return (await response.json()) as Body; // of the API
    if (response || attempt === 100)
      throw new Error(`${method} ${path}: ${response?.status} ${await response?.text()}`);
    await sleep(20);
  }
}

/** Creates a space with a page, and reads the page. */
async function firstPage(url: string): Promise<{ organizationId: string; spaceId: string }> {
  const organizationId = (await must(url, '/v1/orgs')).items[0]?.id ?? '';
  const { id: spaceId } = await must(url, `/v1/orgs/${organizationId}/spaces`, { title: 'Three servers' });
  const page = { operation: 'insert_page', type: 'document', title: 'First', document: { markdown: 'Hello.' } };
  const { changes } = await must(url, `/v1/spaces/${spaceId}/content`, { changes: [page] });
  await must(url, `/v1/spaces/${spaceId}/content/page/${changes[0]?.page?.id}`);
  return { organizationId, spaceId };
}

/** A file of 20 MB and a JSON body of 4 MB pass through nginx unchanged; the file comes back from the bucket. */
async function passUploads(url: string, organizationId: string, spaceId: string) {
  const bytes = randomBytes(UPLOAD_BYTES);
  const begun = performance.now();
  const response = await fetch(`${url}/v1/orgs/${organizationId}/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/octet-stream' },
    body: bytes,
  });
  if (response.status !== 201) throw new Error(`The upload got ${response.status}.`);
  const { id: uploadId } = (await response.json()) as Body; // of the API
  const files = [
    { name: 'large.bin', uploadId },
    { name: 'inline.bin', base64: bytes.subarray(0, 3_000_000).toString('base64') },
  ];
  await must(url, `/v1/spaces/${spaceId}/content`, { changes: [{ operation: 'insert_files', files }] });
  const { items } = await must(url, `/v1/spaces/${spaceId}/content/files`);
  const downloads = await Promise.all(
    items.map(async ({ downloadURL }) => Buffer.from(await (await fetch(downloadURL)).arrayBuffer())),
  );
  const isUnchanged = [bytes, bytes.subarray(0, 3_000_000)].every((sent) =>
    downloads.some((received) => received.equals(sent)),
  );
  if (!isUnchanged) throw new Error('A file came back changed.');
  return { uploadSeconds: (performance.now() - begun) / 1_000 };
}

/** Restarts one server after the other under load. A subscription that is cut continues at another server. */
async function restartEach({ url, spaceId, servers, startServer }: Restarted) {
  const ended = new AbortController();
  const seen: Seen = { statuses: {}, acknowledged: new Set(), longestMs: 0 };
  const target: Target = { url, token: TOKEN, spaceId, signal: ended.signal };
  const titles = new Set<string>();
  const callers = [
    ...Array.from({ length: 4 }, (_, index) => write(target, `writer ${index}`, seen)),
    ...Array.from({ length: 4 }, () => read(target, seen)),
    followTitles(target, titles),
  ];
  await sleep(1_000);
  for (const index of servers.keys()) {
    await servers[index]?.stop();
    await must(url, `/v1/spaces/${spaceId}`, { title: `Without ${UPSTREAMS[index]}` }, 'PATCH');
    servers[index] = await startServer(index);
    await sleep(1_500);
  }
  ended.abort();
  await Promise.all(callers);
  const { statuses, acknowledged, longestMs } = seen;
  return {
    restarts: servers.length,
    statuses,
    acknowledged: acknowledged.size,
    longestWriteMs: Math.round(longestMs),
    titlesMissed: UPSTREAMS.filter((name) => !titles.has(`Without ${name}`)),
  };
}

interface Restarted {
  url: string;
  spaceId: string;
  servers: ServerProcess[];
  startServer(index: number): Promise<ServerProcess>;
}

/** Follows the titles of the space in a subscription, which is opened again with the last event whenever it ends. */
async function followTitles({ url, token, spaceId, signal }: Target, titles: Set<string>): Promise<void> {
  let lastEventId: string | undefined;
  while (!signal.aborted) {
    try {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          accept: 'text/event-stream',
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        },
        body: JSON.stringify({
          query: 'subscription($id: ID!) { spaceUpdated(id: $id) { title } }',
          variables: { id: spaceId },
        }),
        signal,
      });
      let text = '';
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk;
        for (const [, title = ''] of text.matchAll(/"title":"([^"]*)"/g)) titles.add(title);
        lastEventId = [...text.matchAll(/^id: ?(.+)$/gm)].at(-1)?.[1] ?? lastEventId;
      }
    } catch {
      // Cut, or over.
    }
    if (!signal.aborted) await sleep(100);
  }
}

interface Findings {
  firstPageSeconds: number;
  statuses: Record<string, number>;
  titlesMissed: string[];
}

function report(findings: Findings): void {
  console.log(JSON.stringify(findings, null, 2));
  const isGood = Object.keys(findings.statuses).every((status) => status === '200' || status === '201');
  if (isGood && findings.titlesMissed.length === 0) return;
  console.error('Not as it must be.');
  process.exitCode = 1;
}
