import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { SECRET_KEY } from '../bench/database.ts';
import { type ServerProcess, startService } from '../bench/processes.ts';
import { startS3 } from '../platform/s3-service.ts';
import { must, read, type Seen, type Target, write } from './callers.ts';
import { freePorts, hasNginx, startNginx, UPSTREAMS } from './nginx.ts';
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

if (hasNginx()) await run();
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
      startWorker(join(ROOT, 'dist/worker.mjs'), {
        ...environment,
        LOG_LEVEL: 'info',
        DATABASE_URL: database.url,
        SECRET_KEY,
        DATA_DIR: join(directory, 'worker'),
      }).then((worker) => closers.push(worker.stop)),
    ]);
    closers.push(() => Promise.all(servers.map((server) => server.stop())));
    const proxy = await startNginx(directory, { port, ports });
    closers.push(() => proxy.stop());
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

interface Body {
  id: string;
  items: { id: string; title: string; downloadURL: string }[];
  changes: { page?: { id: string } }[];
}

/** Creates a space with a page, and reads the page. */
async function firstPage(url: string): Promise<{ organizationId: string; spaceId: string }> {
  const organizationId = (await must<Body>({ url, token: TOKEN }, '/v1/orgs')).items[0]?.id ?? '';
  const { id: spaceId } = await must<Body>({ url, token: TOKEN }, `/v1/orgs/${organizationId}/spaces`, {
    title: 'Three servers',
  });
  const page = { operation: 'insert_page', type: 'document', title: 'First', document: { markdown: 'Hello.' } };
  const { changes } = await must<Body>({ url, token: TOKEN }, `/v1/spaces/${spaceId}/content`, { changes: [page] });
  await must<Body>({ url, token: TOKEN }, `/v1/spaces/${spaceId}/content/page/${changes[0]?.page?.id}`);
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
  await must<Body>({ url, token: TOKEN }, `/v1/spaces/${spaceId}/content`, {
    changes: [{ operation: 'insert_files', files }],
  });
  const { items } = await must<Body>({ url, token: TOKEN }, `/v1/spaces/${spaceId}/content/files`);
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
    await must<Body>({ url, token: TOKEN }, `/v1/spaces/${spaceId}`, { title: `Without ${UPSTREAMS[index]}` }, 'PATCH');
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
