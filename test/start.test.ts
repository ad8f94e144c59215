import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Client } from './client.ts';
import { programWords } from './command.ts';
import { atPort, makeDatabase } from './database.ts';

// Whole processes with a database of their own: slow on a machine that has much else to do.
vi.setConfig({ testTimeout: 120_000 });

interface Service {
  process: ChildProcess;
  /** Everything it wrote so far. */
  output(): string;
  url(): string;
  /** Waits for a text in the output; the output when the process ends first. */
  says(text: string): Promise<string>;
  ended: Promise<number | null>;
}

const running: Service[] = [];
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stemma-start-'));
});

afterEach(async () => {
  for (const service of running.splice(0)) {
    service.process.kill('SIGKILL');
    await service.ended;
  }
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

const MAIN = [process.execPath, ...programWords('main')];

function start(environment: Record<string, string> = {}, [program = '', ...options] = MAIN): Service {
  const { PATH, HOME } = process.env;
  const child = spawn(program, options, {
    env: {
      PATH,
      HOME,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      DEMO: '0',
      ...environment,
    } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const service: Service = {
    process: child,
    output: () => text,
    url: () => /listens on (\S+)/.exec(text)?.[1] ?? '',
    async says(wanted) {
      while (!text.includes(wanted) && child.exitCode === null) await sleep(20);
      return text;
    },
    ended,
  };
  running.push(service);
  return service;
}

const linkIn = (output: string) => /http\S+\/account\/sign-in-link\?secret=[\w-]{43}/.exec(output)?.[0] ?? '';

const tokenIn = (output: string) => /stemma_[A-Za-z0-9_-]+/.exec(output)?.[0] ?? '';

test('prints the token on the first start only, and serves both transports with it', async () => {
  const first = start();
  await first.says('/account/sign-in-link?secret=');
  const token = tokenIn(first.output());
  const client = new Client(first.url(), token);
  expect((await client.graphql('{ viewer { organizations { nodes { title } } } }')).viewer.organizations.nodes).toEqual(
    [{ title: 'Acme' }],
  );
  expect((await client.get('/readyz')).status).toBe(200);
  first.process.kill('SIGTERM');
  expect(await first.ended).toBe(0);

  const second = start({ LOG_LEVEL: 'info' });
  await second.says('/account\n');
  expect(second.output()).toMatch(/^\nStemma listens on/);
  for (const path of ['/', '/graphql', '/docs', '/handbook', '/app', '/account']) {
    const page = await fetch(`${second.url()}${path}`, { headers: { accept: 'text/html' } });
    expect([path, page.status]).toEqual([path, 200]);
    expect(second.output()).toMatch(new RegExp(`http://\\S+:\\d+${path}\\s`));
  }
  expect(tokenIn(second.output())).toBe('');
  expect(linkIn(second.output())).toBe('');
  expect((await new Client(second.url(), token).get('/v1/orgs')).body.count).toBe(1);
});

test('prints a link on the first start that signs the administrator in once', async () => {
  const publicUrl = 'http://docs.example.com';
  const service = start({ PUBLIC_URL: publicUrl, LOG_LEVEL: 'info' });
  await service.says('/account/sign-in-link?secret=');
  const secret = new URL(linkIn(service.output())).searchParams.get('secret') ?? '';
  const use = () =>
    fetch(`${service.url()}/account/sign-in-link`, {
      method: 'POST',
      headers: { origin: publicUrl },
      body: new URLSearchParams({ secret }),
      redirect: 'manual',
    });
  expect((await fetch(`${service.url()}/account/sign-in-link?secret=${secret}`)).status).toBe(200);
  const answer = await use();
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/app']);
  const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const user = await (await fetch(`${service.url()}/v1/user`, { headers: { cookie } })).json();
  expect(user.displayName).toBe('Administrator');
  expect((await use()).status).toBe(404);
  for (const line of service.output().split('\n')) if (line.startsWith('{')) expect(line).not.toContain(secret);
});

test('is ready once the first token works', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  probe.close();
  start({ PORT: String(port), DEMO: '1', BOOTSTRAP_TOKEN: 'stemma_the-token-of-this-test' });
  const url = `http://127.0.0.1:${port}`;
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok;
  await expect.poll(isReady, { timeout: 100_000, interval: 5 }).toBe(true);
  expect((await new Client(url, 'stemma_the-token-of-this-test').get('/v1/orgs')).body.count).toBe(1);
});

test('loads the handbook as a first space', async () => {
  const service = start({ DEMO: '1', BOOTSTRAP_TOKEN: 'stemma_the-token-of-this-test' });
  await service.says('GraphiQL');
  const client = new Client(service.url(), 'stemma_the-token-of-this-test');
  const data = await client.graphql(
    '{ viewer { organizations { nodes { spaces { nodes { title revision { pages { ... on PageNode { title } } page(path: "") { ... on DocumentPage { markdown } } } } } } } } }',
  );
  const [space] = data.viewer.organizations.nodes[0].spaces.nodes;
  expect(space.title).toBe('Stemma handbook');
  expect(space.revision.pages.length).toBeGreaterThan(2);
  expect(space.revision.page.markdown.length).toBeGreaterThan(100);
});

test('continues after a kill with everything it had acknowledged', async () => {
  const first = start({ BOOTSTRAP_TOKEN: 'stemma_the-token-of-this-test' });
  await first.says('GraphiQL');
  const client = new Client(first.url(), 'stemma_the-token-of-this-test');
  await client.mutate('createOrganization', { title: 'Survivor' }, 'organization { id }');
  first.process.kill('SIGKILL');
  await first.ended;
  const second = start();
  await second.says('GraphiQL');
  const orgs = await new Client(second.url(), client.token).get('/v1/orgs');
  expect(orgs.body.items.map(({ title }: { title: string }) => title)).toContain('Survivor');
});

test('refuses a data directory that another process holds, naming it', async () => {
  const first = start();
  await first.says('GraphiQL');
  const second = start();
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(String(first.process.pid));
  expect((await fetch(`${first.url()}/healthz`)).status).toBe(200);
});

test('reports invalid settings', async () => {
  const service = start({ PORT: 'eighty', LOG_LEVEL: 'loud' });
  expect(await service.ended).toBe(1);
  expect(service.output()).toMatch(/PORT[\s\S]*LOG_LEVEL/);
  expect(service.output()).not.toContain('    at ');
});

test('waits for a database that is not available yet, and logs it', async () => {
  const database = await makeDatabase();
  const target = new URL(database.url);
  const port = await freePort();
  const service = start({ DATABASE_URL: atPort(database.url, port) });
  await service.says('does not respond');
  expect(service.output()).not.toContain(target.password);
  const proxy = createServer((incoming) => {
    import('node:net').then(({ connect }) => {
      const outgoing = connect(Number(target.port), target.hostname);
      incoming.pipe(outgoing).pipe(incoming);
      for (const socket of [incoming, outgoing]) socket.on('error', () => socket.destroy());
    });
  }).listen(port, '127.0.0.1');
  try {
    await service.says('GraphiQL');
    expect((await fetch(`${service.url()}/readyz`)).status).toBe(200);
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  } finally {
    proxy.close();
    await database.drop();
  }
});

test('completes requests in progress at shutdown', async () => {
  const service = start({ BOOTSTRAP_TOKEN: 'stemma_the-token-of-this-test' });
  await service.says('GraphiQL');
  const client = new Client(service.url(), 'stemma_the-token-of-this-test');
  const titles = Array.from({ length: 20 }, (_, index) => `Org ${index}`);
  const requests = titles.map((title) => client.post('/v1/orgs', { title }));
  const answers = Promise.allSettled(requests);
  // With the first answered, the others run.
  await Promise.any(requests);
  service.process.kill('SIGTERM');
  const settled = await answers;
  expect(await service.ended).toBe(0);
  const acknowledged = settled.filter((result) => result.status === 'fulfilled' && result.value.status === 201).length;

  const again = start();
  await again.says('GraphiQL');
  const { body } = await new Client(again.url(), client.token).get('/v1/orgs?limit=100');
  expect(body.count).toBeGreaterThanOrEqual(acknowledged + 1);
});

test('explains what to do about a port in use, before it creates anything', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const unused = join(dataDir, 'unused');
  const service = start({ PORT: String(port), DATA_DIR: unused });
  expect(await service.ended).toBe(1);
  expect(service.output()).toContain(`Port ${port} of 127.0.0.1 is in use by another program`);
  expect(service.output()).toContain('set PORT');
  expect(existsSync(unused)).toBe(false);
  holder.close();
});

test('production without a terminal keeps the first token out of its output, and loads no handbook', async () => {
  const production = { NODE_ENV: 'production', SECRET_KEY: 'a secret of at least thirty-two characters', DEMO: '' };
  const service = start({ ...production, LOG_LEVEL: 'info', BOOTSTRAP_EMAIL: 'ada@example.com' });
  const file = join(dataDir, 'first-token');
  await service.says(file);
  const lines = service.output().trimEnd().split('\n');
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  expect([tokenIn(service.output()), linkIn(service.output())]).toEqual(['', '']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const client = new Client(service.url().replace(/[^0-9]*$/, ''), (await readFile(file, 'utf8')).trim());
  expect((await client.get('/v1/user')).body.email).toBe('ada@example.com');
  const [organization] = (await client.get('/v1/orgs')).body.items;
  expect((await client.get(`/v1/orgs/${organization.id}/spaces`)).body.items).toEqual([]);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

const hasScript = spawnSync('script', ['--version']).status === 0;

test.skipIf(!hasScript)('production in a terminal shows the first token there, and keeps it nowhere else', async () => {
  const production = { NODE_ENV: 'production', SECRET_KEY: 'a secret of at least thirty-two characters' };
  // script(1) of util-linux runs a command in a terminal of its own.
  const inTerminal = ['script', '--quiet', '--return', '--command', `exec ${MAIN.join(' ')}`, '/dev/null'];
  const service = start({ ...production, LOG_LEVEL: 'info' }, inTerminal);
  await service.says('Try a first query');
  const token = tokenIn(service.output());
  const port = /listens on http:\S+:(\d+)/.exec(service.output())?.[1];
  expect((await new Client(`http://127.0.0.1:${port}`, token).get('/v1/user')).status).toBe(200);
  for (const line of service.output().split(/\r?\n/)) if (line.startsWith('{')) expect(line).not.toContain(token);
  expect(existsSync(join(dataDir, 'first-token'))).toBe(false);
  service.process.kill('SIGTERM');
  await service.ended;
});

test('recovers when its database is killed', async () => {
  const service = start({ BOOTSTRAP_TOKEN: 'stemma_the-token-of-this-test' });
  await service.says('GraphiQL');
  const client = new Client(service.url(), 'stemma_the-token-of-this-test');
  const pid = Number.parseInt(await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10);
  process.kill(pid, 'SIGKILL');
  // Before it is noticed, everything may still look well.
  await service.says('exited unexpectedly');
  const status = async (path: string) => (await fetch(`${service.url()}${path}`)).status;
  await expect.poll(() => status('/readyz')).toBe(200);
  const made = await client.mutate('createOrganization', { title: 'After' }, 'organization { title }');
  expect(made.organization.title).toBe('After');
  const logged = service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const death = logged.map((line) => JSON.parse(line)).find(({ msg }) => msg.includes('exited unexpectedly'));
  expect(death).toMatchObject({ level: 50, msg: expect.stringContaining('SIGKILL') });
  expect(service.output()).not.toContain('Not an error was thrown');
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

/** A Node on the PATH that is too old for the service, if there is one. */
const oldNode = (process.env.PATH ?? '')
  .split(':')
  .map((directory) => join(directory, 'node'))
  .find((file) => {
    const { stdout } = spawnSync(file, ['-p', '!process.features.typescript'], { encoding: 'utf8' });
    return stdout?.trim() === 'true';
  });

test.skipIf(oldNode === undefined)('with a Node that is too old, a command says what to do', () => {
  const { status, stdout, stderr } = spawnSync(oldNode ?? '', ['run.mjs', 'dist/main.mjs'], {
    encoding: 'utf8',
    env: {},
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Stemma needs Node 22\.18 or newer\. This is Node \d+\.\d+\.\d+\.$/m);
});

test.skipIf(process.platform === 'win32')('a command runs with the Node that runs npm, when that is new enough', () => {
  const run = (version: string) =>
    spawnSync(process.execPath, ['run.mjs', '-e', ''], {
      encoding: 'utf8',
      env: { npm_config_user_agent: `npm/11.0.0 node/v${version} linux x64`, npm_node_execpath: '/bin/false' },
    }).status;
  expect([run('20.19.5'), run('22.17.1'), run('22.18.0'), run('26.1.0')]).toEqual([0, 0, 1, 1]);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
