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

interface Nginx {
  /** Sends no new requests to a server, or to all servers again. */
  reload(without?: number): Promise<void>;
  stop(): Promise<void>;
}

/** nginx with the file of the repository, where only names and ports differ. */
export async function startNginx(
  directory: string,
  { port, ports, ofClients = '' }: { port: number; ports: number[]; ofClients?: string },
): Promise<Nginx> {
  const text = await readFile(CONFIGURATION, 'utf8');
  const file = join(directory, 'nginx.conf');
  const write = (without: number | undefined) => {
    const servers = UPSTREAMS.reduce((rest, name, index) => {
      const address = `127.0.0.1:${ports[index]}`;
      return rest.replaceAll(`${name}:4000`, index === without ? `${address} down` : address);
    }, text);
    const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${directory}/nginx-${name};`)
      .join(' ');
    return writeFile(
      file,
      `daemon off; pid ${directory}/nginx.pid; error_log ${directory}/nginx.log warn; worker_processes 2; events {}
http { access_log off; ${ofClients} ${own}
${servers.replace('listen 80;', `listen 127.0.0.1:${port};`)}
}`,
    );
  };
  await write(undefined);
  const child = spawn('nginx', ['-c', file, '-e', `${directory}/nginx.log`], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  return {
    async reload(without) {
      await write(without);
      child.kill('SIGHUP');
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
