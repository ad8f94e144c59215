import { execFileSync, spawn } from 'node:child_process';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSshKey } from '../../../src/domain/sources/git/connections/ssh-key.ts';
import { readRepositoryUrl, readSshAddress } from '../../../src/domain/sources/git/repository-url.ts';
import { faultOfProgram } from '../../../src/domain/sources/git/transport/fault-of-program.ts';
import { callGit } from '../../../src/domain/sources/git/transport/git-program.ts';
import { hostKeysIn, openSsh, sshCommand } from '../../../src/domain/sources/git/transport/ssh-command.ts';
import { WorkExceeded } from '../../../src/platform/heavy-work/work-exceeded.ts';
import { lawRuns } from '../../how-thorough.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stemma-git-program-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A program of this test in place of `git`. */
async function program(name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const limits = { signal: new AbortController().signal, limitMs: 20_000, maxOutputBytes: 10_000 };

test('the program gets nothing of the environment of the service but PATH', async () => {
  process.env.SECRET_KEY_OF_TEST = 'secret';
  const { output } = await callGit({ ...limits, program: await program('env', 'env'), cwd: folder, args: [] });
  Reflect.deleteProperty(process.env, 'SECRET_KEY_OF_TEST');
  const names = output
    .trim()
    .split('\n')
    .map((line) => line.split('=')[0]);
  // The shell sets the last three.
  expect(names.filter((name) => !['PWD', 'SHLVL', '_'].includes(name ?? '')).sort()).toEqual([
    'GIT_ALLOW_PROTOCOL',
    'GIT_ATTR_NOSYSTEM',
    'GIT_CONFIG_GLOBAL',
    'GIT_CONFIG_NOSYSTEM',
    'GIT_NO_REPLACE_OBJECTS',
    'GIT_TERMINAL_PROMPT',
    'HOME',
    'LC_ALL',
    'PATH',
  ]);
});

test('the shell of git reads the command for SSH as it was meant, whatever characters paths have', () => {
  const path = fc.string({ unit: fc.constantFrom(...`ab /'"$\`\\;&|%*?!~#()é`), minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(path, path, (key, knownHosts) => {
      const command = sshCommand({ key, knownHosts, address: '192.0.2.1', port: 22, isKnown: true });
      const words = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' }).split('\0');
      expect(words.slice(0, 3)).toEqual(['ssh', '-F', '/dev/null']);
      expect(words).toContain(`IdentityFile="${key.replaceAll('%', '%%')}"`);
      expect(words).toContain(`UserKnownHostsFile="${knownHosts.replaceAll('%', '%%')}"`);
      expect(words).toContain('StrictHostKeyChecking=yes');
      expect(words.slice(3, -1).filter((word) => word === '-o')).toHaveLength((words.length - 4) / 2);
    }),
    { numRuns: lawRuns(20) },
  );
});

test('addresses for SSH are read as git reads them, and written in one form', () => {
  const url = (text: string) => readRepositoryUrl(text, { hasGit: true }).url;
  expect(url('git@GitHub.com:acme/docs.git')).toBe('ssh://git@github.com/~/acme/docs.git');
  expect(url('git@host:/srv/docs.git')).toBe('ssh://git@host/srv/docs.git');
  expect(url('ssh://git@host:22/srv/docs.git/')).toBe('ssh://git@host/srv/docs.git');
  expect(url('ssh://git@[2001:db8::1]:2222/~/docs.git')).toBe('ssh://git@[2001:db8::1]:2222/~/docs.git');
  expect(readSshAddress('git@host:acme/docs.git')).toEqual({
    user: 'git',
    host: 'host',
    port: undefined,
    path: 'acme/docs.git',
  });
});

test('keys are in files that only this user can read, until the session ends', async () => {
  const { privateKey } = newSshKey('');
  const remote = {
    url: 'ssh://git@127.0.0.1/docs.git',
    authorization: undefined,
    ref: 'refs/heads/main',
    timeoutMs: 1_000,
  };
  const access = { program: 'git', privateKey, hostKeys: ['ssh-ed25519 AAAA'], pin: async () => {} };
  const session = await openSsh({ ...remote, allowPrivateNetwork: true }, access);
  expect(await readFile(join(session.folder, 'key'), 'utf8')).toBe(privateKey);
  expect((await stat(join(session.folder, 'key'))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(session.folder, 'known_hosts'), 'utf8')).toBe('repository ssh-ed25519 AAAA\n');
  expect(session.env.GIT_SSH_COMMAND).toContain('StrictHostKeyChecking=yes');
  await session[Symbol.asyncDispose]();
  await expect(stat(session.folder)).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(openSsh({ ...remote, allowPrivateNetwork: false }, access)).rejects.toMatchObject({
    code: 'PRIVATE_ADDRESS',
  });
});

test('no address can be an option, a local path or another protocol', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'ssh://',
      'git@',
      '-oProxyCommand=x',
      '--upload-pack=x',
      'ext::',
      'file:',
      '/',
      ':',
      '@',
      '..',
      '~',
      ' ',
      '\n',
      '$(x)',
      '[::1]',
      'host',
      '22',
    ),
    fc.string({ maxLength: 5 }),
  );
  const texts = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      const address = readSshAddress(text);
      if (!address) return;
      for (const part of [address.user, address.host, address.path]) expect(part).toMatch(/^[^-\s$`'"\\;&|<>()]/);
      expect(`${address.user}${address.host}${address.path}`).not.toMatch(/[\s$`'"\\;&|<>()*?#!]/);
      expect(address.path.split('/')).not.toContain('..');
      const { url } = readRepositoryUrl(text, { hasGit: true });
      expect(readSshAddress(url)).toEqual(address);
    }),
    { numRuns: 2_000 },
  );
});

test('a key pair is what OpenSSH and node:crypto understand', () => {
  const { privateKey, publicKey } = newSshKey('stemma');
  const blob = Buffer.from(privateKey.replace(/-----.*-----|\n/g, ''), 'base64');
  const point = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64').subarray(-32);
  const seed = blob.subarray(blob.lastIndexOf(point) - 32, blob.lastIndexOf(point));
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: seed.toString('base64url'), x: point.toString('base64url') };
  const derived = createPublicKey(createPrivateKey({ key: jwk, format: 'jwk' })).export({ format: 'jwk' });
  expect(derived.x).toBe(jwk.x);
  expect(publicKey).toMatch(/^ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[\w+/]{43} stemma$/);
});

test('keys of hosts are read from what ssh-keyscan prints', () => {
  const key = newSshKey('').publicKey.trim();
  expect(hostKeysIn(`# host:22 SSH-2.0\n[host]:2222 ${key} comment\n\nhost ${key}\n@revoked host ${key}\n`)).toEqual([
    key,
  ]);
});

test.each([
  ['repository: Permission denied (publickey).', 'UNAUTHORIZED'],
  ['ERROR: The key you are authenticating with has been marked as read only.', 'UNAUTHORIZED'],
  ['ERROR: This deploy key does not have write access to this project.', 'UNAUTHORIZED'],
  ['ERROR: Repository not found.', 'NOT_FOUND'],
  ["fatal: '/srv/x.git' does not appear to be a git repository", 'NOT_FOUND'],
  ['Host key verification failed.', 'HOST_KEY'],
  ["fatal: couldn't find remote ref refs/heads/main", 'NO_BRANCH'],
  ['ssh: connect to host 192.0.2.1 port 22: Connection refused', 'UNREACHABLE'],
  ['fatal: write error: File too large', 'TOO_LARGE'],
  ['sh: 8: exec: git-of-nobody: not found', 'UNREACHABLE'],
  ['fatal: something else', 'UNREADABLE'],
])('what is printed, "%s", is the fault %s', (said, code) => {
  expect(faultOfProgram({ said, code: said.startsWith('sh:') ? 127 : 128 })).toMatchObject({ code });
});

test('a program that prints too much, writes too much or is silent for too long is ended', async () => {
  const loud = await program('loud', 'while :; do echo "a line of the program"; done');
  await expect(callGit({ ...limits, program: loud, cwd: folder, args: [] })).rejects.toThrow('printed more');
  const large = await program('large', 'exec dd if=/dev/zero of=large bs=1 count=1 seek=1200000000');
  const { code, said } = await callGit({ ...limits, program: large, cwd: folder, args: [] });
  expect(faultOfProgram({ code, said })).toMatchObject({ code: 'TOO_LARGE' });
  const silent = await program('silent', 'sleep 60 & wait');
  const call = callGit({ ...limits, limitMs: 100, program: silent, cwd: folder, args: [] });
  await expect(call).rejects.toThrow(WorkExceeded);
});

/** A server that accepts connections and never says a word. */
async function silentServer() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    server,
    port: (server.address() as AddressInfo).port,
    /** The next connection. It is closed when the last process that has it ends. */
    next: async () => ((await once(server, 'connection')) as [Socket])[0].on('error', () => {}).resume(),
  };
}

const openSocket = (port: number) => `exec 3<>/dev/tcp/127.0.0.1/${port}`;

test('cancelling ends the program and all that it has started', async () => {
  const { server, next, port } = await silentServer();
  const script = await program('family', `exec /bin/bash -c '${openSocket(port)}; sleep 60 & wait'`);
  const cancelled = new AbortController();
  const call = callGit({ ...limits, signal: cancelled.signal, program: script, cwd: folder, args: [] });
  const gone = once(await next(), 'close');
  cancelled.abort(new Error('cancelled'));
  await expect(call).rejects.toThrow('cancelled');
  await gone;
  server.close();
});

test.runIf(process.platform === 'linux')('the program ends with the process that started it', async () => {
  const { server, next, port } = await silentServer();
  const script = await program('orphan', `exec /bin/bash -c '${openSocket(port)}; read -u 3'`);
  const module = new URL('../../../src/domain/sources/git/transport/git-program.ts', import.meta.url).href;
  const its = JSON.stringify({ program: script, cwd: folder, args: [], limitMs: 60_000, maxOutputBytes: 1_000 });
  const code = `const { callGit } = await import('${module}'); await callGit({ ...${its}, signal: new AbortController().signal });`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' });
  const gone = once(await next(), 'close');
  parent.kill('SIGKILL');
  await gone;
  server.close();
});
