import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { newSshKey } from '../src/domain/sources/git/connections/ssh-key.ts';
import { GitRepository } from './git-server.ts';

const run = promisify(execFile);

/** Where distributions put the program, which must be started with its whole path. */
const SSHD = ['/usr/sbin/sshd', '/usr/bin/sshd', '/usr/local/sbin/sshd'].find((path) => existsSync(path));

/** Whether tests over SSH can run here. */
export const hasSshd = SSHD !== undefined && existsSync('/usr/bin/git') && existsSync('/usr/bin/ssh');

if (!hasSshd)
  console.info('Skipped over SSH: git, ssh or sshd is not installed here (Debian: apt install git openssh-server).');

/** OpenSSH's server on this machine, for the current user, with bare repositories that `git` serves. */
export async function startSshServer() {
  const folder = await mkdtemp(join(tmpdir(), 'stemma-sshd-'));
  const port = await freePort();
  const { username, uid } = userInfo();
  // The server requires it of root.
  if (uid === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  await writeFile(join(folder, 'authorized_keys'), '');
  let server = await launch(folder, port, 'first');
  return {
    /** Trusts a public key, with options such as a forced command (sshd(8), AUTHORIZED_KEYS FILE FORMAT). */
    authorize: (publicKey: string, options = '') =>
      writeFile(join(folder, 'authorized_keys'), `${options === '' ? '' : `${options} `}${publicKey}\n`),
    /** Starts the server again with another host key. */
    async changeHostKey() {
      await server.stop();
      server = await launch(folder, port, 'second');
    },
    hostKey: () => server.hostKey,
    async repository(name: string): Promise<GitRepository> {
      const gitdir = join(folder, `${name}.git`);
      await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', gitdir]);
      return new GitRepository(gitdir, `ssh://${username}@127.0.0.1:${port}${gitdir}`);
    },
    async close() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(folder: string, port: number, name: string) {
  const { privateKey, publicKey } = newSshKey('host');
  const [key, config] = [join(folder, `host-${name}`), join(folder, `config-${name}`)];
  await writeFile(key, privateKey, { mode: 0o600 });
  const settings = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${key}`,
    'PidFile none',
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'AcceptEnv GIT_PROTOCOL',
  ];
  await writeFile(config, `${settings.join('\n')}\n`);
  const child = spawn(SSHD ?? '', ['-D', '-e', '-f', config], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  await listening(port);
  return {
    hostKey: publicKey,
    async stop() {
      child.kill();
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await delay(25);
  }
  throw new Error('sshd did not start.');
}
