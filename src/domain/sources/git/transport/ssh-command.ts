import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowedAddresses, resolveBySystem } from '../../../../platform/outbound/allowed-addresses.ts';
import { outboundError } from '../../../../platform/outbound/outbound-error.ts';
import { isPublicAddress } from '../../../../platform/outbound/public-address.ts';
import { readSshAddress } from '../repository-url.ts';
import type { Remote, SshAccess } from './remote.ts';
import { RemoteError } from './remote-fault.ts';

/** The name that ssh has for the host, whose address and keys are given to it. */
const ALIAS = 'repository';

const CONNECT_SECONDS = 20;

/** What a program needs to reach a repository over SSH. */
export interface SshSession extends AsyncDisposable {
  /** Temporary folder of the session. */
  folder: string;
  /** Address of the repository for `git`. */
  address: string;
  env: { GIT_SSH_COMMAND: string; GIT_SSH_VARIANT: string };
  /** The keys of the host that were accepted, as type and Base64. */
  hostKeys(): Promise<string[]>;
}

/**
 * Prepares a connection: resolves the host, checks its address like those of all outbound requests, and writes the keys
 * to a temporary folder, which is removed when the session is disposed.
 */
export async function openSsh(remote: Remote, access: SshAccess): Promise<SshSession> {
  const parts = readSshAddress(remote.url);
  if (!parts) throw new RemoteError('UNREACHABLE', 'The URL is not an SSH address.');
  const address = await addressOf(parts.host, remote.allowPrivateNetwork);
  const folder = await mkdtemp(join(tmpdir(), 'stemma-ssh-'));
  const [key, knownHosts] = [join(folder, 'key'), join(folder, 'known_hosts')];
  await writeFile(key, access.privateKey, { mode: 0o600 });
  await writeFile(knownHosts, access.hostKeys.map((each) => `${ALIAS} ${each}\n`).join(''), { mode: 0o600 });
  const isKnown = access.hostKeys.length > 0;
  return {
    folder,
    address: `${parts.user}@${ALIAS}:${parts.path}`,
    env: {
      GIT_SSH_COMMAND: sshCommand({ key, knownHosts, address, port: parts.port ?? 22, isKnown }),
      GIT_SSH_VARIANT: 'ssh',
    },
    hostKeys: async () => hostKeysIn(await readFile(knownHosts, 'utf8')),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function addressOf(host: string, allowPrivateNetwork: boolean): Promise<string> {
  const allows = allowPrivateNetwork ? () => true : isPublicAddress;
  try {
    const [{ address }] = await allowedAddresses(host, { resolve: resolveBySystem, allows });
    return address;
  } catch (error) {
    throw outboundError(error, `ssh://${host}`);
  }
}

/**
 * The command for ssh(1), quoted for the shell of git. Only the given key is used, only the given address is connected
 * to, and no configuration of the machine applies.
 */
export function sshCommand({
  key,
  knownHosts,
  address,
  port,
  isKnown,
}: {
  key: string;
  knownHosts: string;
  address: string;
  port: number;
  /** Whether keys of the host are known. Otherwise the first one is accepted. */
  isKnown: boolean;
}): string {
  const options = {
    HostName: address,
    Port: port,
    HostKeyAlias: ALIAS,
    IdentityFile: fileOption(key),
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    UserKnownHostsFile: fileOption(knownHosts),
    GlobalKnownHostsFile: '/dev/null',
    StrictHostKeyChecking: isKnown ? 'yes' : 'accept-new',
    CheckHostIP: 'no',
    UpdateHostKeys: 'no',
    HashKnownHosts: 'no',
    BatchMode: 'yes',
    PreferredAuthentications: 'publickey',
    ClearAllForwardings: 'yes',
    ForwardAgent: 'no',
    ControlPath: 'none',
    PermitLocalCommand: 'no',
    ProxyCommand: 'none',
    CanonicalizeHostname: 'no',
    ConnectTimeout: CONNECT_SECONDS,
    ServerAliveInterval: 15,
    ServerAliveCountMax: 4,
  };
  const args = Object.entries(options).flatMap(([name, value]) => ['-o', quoted(`${name}=${value}`)]);
  return ['ssh', '-F', '/dev/null', ...args].join(' ');
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** ssh expands percent signs in names of files, and splits them at spaces. */
const fileOption = (path: string) => `"${path.replaceAll('%', '%%')}"`;

const HOST_KEY = /^[^\s#@]\S* ((?:ssh|ecdsa|sk)-[\w@.-]+ [A-Za-z0-9+/]+={0,3})(?:\s|$)/;

/** The keys in the lines of a known_hosts file (sshd(8)), without hosts and comments. */
export const hostKeysIn = (text: string): string[] => [
  ...new Set(text.split('\n').flatMap((line) => HOST_KEY.exec(line)?.[1] ?? [])),
];
