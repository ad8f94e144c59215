import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../people/sso/identity-provider.ts';

const CONFIGURATION = join(import.meta.dirname, '../../deploy/three-servers/nginx.conf');

/** Names of the servers in the configuration. */
export const UPSTREAMS = ['server-1', 'server-2', 'server-3'];

export const hasNginx = (): boolean => spawnSync('nginx', ['-v']).status === 0;

export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** nginx with the file of the repository, where only names and ports differ. */
export async function startNginx(directory: string, { port, ports }: { port: number; ports: number[] }) {
  let text = await readFile(CONFIGURATION, 'utf8');
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
