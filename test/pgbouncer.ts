import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { administer, atPort } from './database.ts';

/** Whether this machine has PgBouncer (Debian: pgbouncer). */
export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;

export interface Pooler {
  /** The same database as at the given address, through the pooler. */
  url: string;
  stop(): void;
}

/** Starts a PgBouncer before the server of a database, with a pool mode and settings. */
export async function startPgBouncer(
  serverUrl: string,
  mode: string,
  settings: Record<string, string | number> = {},
): Promise<Pooler> {
  const directory = mkdtempSync(join(tmpdir(), 'stemma-pooler-'));
  const target = new URL(serverUrl);
  const port = await freePort();
  const file = join(directory, 'pgbouncer.ini');
  const user = decodeURIComponent(target.username);
  const password = decodeURIComponent(target.password);
  await writeFile(`${file}.users`, `"${user}" "${password}"\n`);
  const all = {
    ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'trust' },
    ...{ auth_file: `${file}.users`, pool_mode: mode, max_client_conn: 500, ...settings },
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const to = `host=${target.hostname} port=${target.port} user=${user} password=${password}`;
  await writeFile(file, `[databases]\n* = ${to}\n[pgbouncer]\n${lines.join('\n')}\n`);
  // It refuses to run as root.
  const [program = '', ...words] = process.geteuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : [];
  spawnSync('chmod', ['-R', 'a+rX', directory]);
  const options = { stdio: 'ignore' } as const;
  const child = program ? spawn(program, [...words, 'pgbouncer', file], options) : spawn('pgbouncer', [file], options);
  const stop = () => {
    running.delete(stop);
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  };
  running.add(stop);
  const url = atPort(serverUrl, port);
  await untilAnswers(url);
  return { url, stop };
}

/** What stops each pooler that runs. */
const running = new Set<() => void>();
process.once('exit', () => {
  for (const stop of running) stop();
});

async function untilAnswers(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await administer(url, 'select 1 as one');
      return;
    } catch (error) {
      if (attempt === 200) throw error;
      await sleep(100);
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
