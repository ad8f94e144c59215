import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { poolerFault } from '../../src/platform/database/pooler.ts';
import { runProgram } from '../command.ts';
import { administer, makeDatabase, type TestDatabase } from '../database.ts';

vi.setConfig({ testTimeout: 120_000 });

const SECRET_KEY = 'a secret of at least thirty-two characters';
const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0;

if (isInstalled) withPgBouncer();
else test.skip('PgBouncer is not installed (Debian: pgbouncer): poolers were not tried', () => {});

function withPgBouncer() {
  let database: TestDatabase;
  let directory: string;
  const poolers: ChildProcess[] = [];

  beforeAll(async () => {
    database = await makeDatabase();
    directory = await mkdtemp(join(tmpdir(), 'stemma-pooler-'));
  });

  afterAll(async () => {
    for (const pooler of poolers) pooler.kill('SIGKILL');
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Starts a pooler and returns the address of the database behind it. */
  async function pooled(mode: string, settings: Record<string, string | number> = {}): Promise<string> {
    const target = new URL(database.url);
    const port = await freePort();
    const file = join(directory, `${mode}-${port}.ini`);
    const user = decodeURIComponent(target.username);
    const password = decodeURIComponent(target.password);
    await writeFile(`${file}.users`, `"${user}" "${password}"\n`);
    const all = {
      ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'trust' },
      ...{ auth_file: `${file}.users`, pool_mode: mode, max_client_conn: 200, ...settings },
    };
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
    const to = `host=${target.hostname} port=${target.port} user=${user} password=${password}`;
    await writeFile(file, `[databases]\n* = ${to}\n[pgbouncer]\n${lines.join('\n')}\n`);
    // It refuses to run as root.
    const [program = '', ...words] = [
      ...(process.geteuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : []),
    ];
    spawnSync('chmod', ['-R', 'a+rX', directory]);
    const child = program ? spawn(program, [...words, 'pgbouncer', file]) : spawn('pgbouncer', [file]);
    poolers.push(child);
    const url = new URL(database.url);
    url.host = `127.0.0.1:${port}`;
    const answers = () => administer(url.href, 'select 1 as one').catch((error: Error) => error.message);
    await expect.poll(answers, { timeout: 20_000 }).toEqual([{ one: 1 }]);
    return url.href;
  }

  test('a pooler in session mode, and no pooler, can be used', async () => {
    expect(await poolerFault(database.url)).toBeUndefined();
    expect(await poolerFault(await pooled('session'))).toBeUndefined();
  });

  test.each([
    ['transaction', {}],
    ['transaction', { server_round_robin: 1, min_pool_size: 5 }],
    ['transaction', { default_pool_size: 1 }],
    ['transaction', { server_reset_query: 'DISCARD ALL', server_reset_query_always: 1 }],
    ['statement', {}],
  ])('a pooler in %s mode is noticed with %o', async (mode, settings) => {
    const url = await pooled(mode, settings);
    for (let round = 0; round < 5; round++) expect(await poolerFault(url)).toMatch(/pool_mode = session/);
  });

  test('a pooler is noticed while others use it', async () => {
    const url = await pooled('transaction');
    let isOver = false;
    const others = Array.from({ length: 4 }, async () => {
      while (!isOver) await administer(url, 'select pg_sleep(.005)');
    });
    for (let round = 0; round < 5; round++) expect(await poolerFault(url)).toMatch(/pool_mode = session/);
    isOver = true;
    await Promise.all(others);
  });

  test('the service and a worker refuse to start behind a pooler in transaction mode, and the doctor tells why', async () => {
    const url = await pooled('transaction');
    const environment = { DATABASE_URL: url, DATA_DIR: join(directory, 'data'), PORT: '0', SECRET_KEY };
    for (const program of ['main', 'worker']) {
      const { code, output } = await runProgram(program, [], environment);
      expect([code, output]).toEqual([1, expect.stringMatching(/^A pooler .*pool_mode = session\)\.\n$/)]);
    }
    const { code, output } = await runProgram('doctor', [], environment);
    expect([code, output]).toEqual([1, expect.stringMatching(/^problem +session +A pooler/m)]);
  });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
