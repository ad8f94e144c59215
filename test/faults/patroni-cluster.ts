import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../people/sso/identity-provider.ts';

/** How the leader is killed: PostgreSQL alone, or the whole node with Patroni, whose lease then has to expire. */
export type Kill = 'server' | 'node';

/** The programs that are needed, with the packages of Debian that have them. */
const NEEDED = { etcd: 'etcd-server', patroni: 'patroni python3-etcd', haproxy: 'haproxy' };

/** The packages of Debian that this machine lacks. */
export const missingPackages = (): string[] =>
  Object.entries(NEEDED).flatMap(([program, name]) => (spawnSync(program, ['--version']).error ? [name] : []));

interface Node {
  readonly name: string;
  readonly directory: string;
  readonly ports: { postgres: number; rest: number };
  patroni: ChildProcess | undefined;
}

interface Member {
  name: string;
  role: string;
  state: string;
}

export interface PatroniCluster {
  /** Address that leads to the leader of the moment, for a role that owns the database. */
  readonly url: string;
  /** The name of the leader that accepts writes. Undefined while there is none. */
  leader(): Promise<string | undefined>;
  kill(name: string, kind: Kill): Promise<void>;
  /** Waits until there are a leader, a synchronous standby and another standby. Starts nodes that were killed. */
  complete(): Promise<void>;
  stop(): Promise<void>;
}

/** Owner of PostgreSQL's files, since it does not run as root. */
interface Account {
  uid?: number;
  gid?: number;
}

function accountOf(): Account {
  if (process.geteuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/**
 * Three nodes of PostgreSQL with Patroni and synchronous replication in its strict form, etcd, and HAProxy, which sends
 * connections to the leader. `programs` is the directory of PostgreSQL's programs.
 */
export async function startPatroni(directory: string, programs: string): Promise<PatroniCluster> {
  const account = accountOf();
  await own(directory, account);
  const endings: (() => Promise<unknown>)[] = [];
  const [client, peer, entry] = [await freePort(), await freePort(), await freePort()];
  const nodes: Node[] = [];
  for (const name of ['node1', 'node2', 'node3']) {
    const ports = { postgres: await freePort(), rest: await freePort() };
    nodes.push({ name, directory: join(directory, name), ports, patroni: undefined });
  }

  endings.push(ending(startEtcd(join(directory, 'etcd'), client, peer)));
  for (const node of nodes) {
    await mkdir(node.directory);
    await own(node.directory, account);
    await writeFile(`${node.directory}.yml`, JSON.stringify(configurationOf(node, { programs, etcd: client })));
    startNode(node, account);
    // The first one becomes the leader, and the others copy it.
    if (node === nodes[0]) await until('a first leader', async () => (await leaderOf(nodes)) === node.name);
  }
  const configuration = join(directory, 'haproxy.cfg');
  await writeFile(configuration, haproxyFor(entry, nodes));
  endings.push(ending(spawn('haproxy', ['-q', '-f', configuration], { stdio: 'inherit' })));
  await complete(nodes, account);
  return {
    url: `postgresql://stemma@127.0.0.1:${entry}/stemma`,
    leader: () => leaderOf(nodes),
    complete: () => complete(nodes, account),
    async kill(name, kind) {
      const node = nodes.find((each) => each.name === name);
      if (!node) throw new Error(`There is no node ${name}.`);
      if (kind === 'node') node.patroni?.kill('SIGKILL');
      await killPostgres(node);
    },
    async stop() {
      await Promise.all(nodes.map(({ patroni }) => patroni && ending(patroni)()));
      for (const end of endings.toReversed()) await end();
    },
  };
}

const own = async (path: string, { uid, gid }: Account) => {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
};

const ending = (child: ChildProcess) => async () => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
};

function startEtcd(directory: string, client: number, peer: number): ChildProcess {
  const [forClients, forPeers] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
  const options = {
    name: 'one',
    'data-dir': directory,
    'listen-client-urls': forClients,
    'advertise-client-urls': forClients,
    'listen-peer-urls': forPeers,
    'initial-advertise-peer-urls': forPeers,
    'initial-cluster': `one=${forPeers}`,
    'log-level': 'error',
  };
  return spawn(
    'etcd',
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    { stdio: 'inherit' },
  );
}

/** Patroni reads YAML, of which JSON is a part. */
const configurationOf = (
  { name, directory, ports }: Node,
  { programs, etcd }: { programs: string; etcd: number },
): object => ({
  scope: 'stemma',
  name,
  log: { level: 'ERROR' },
  restapi: { listen: `127.0.0.1:${ports.rest}`, connect_address: `127.0.0.1:${ports.rest}` },
  etcd3: { host: `127.0.0.1:${etcd}` },
  bootstrap: {
    dcs: {
      ttl: 20,
      loop_wait: 2,
      retry_timeout: 5,
      // A server that has crashed is replaced at once instead of being started again.
      primary_start_timeout: 0,
      synchronous_mode: true,
      synchronous_mode_strict: true,
      postgresql: {
        use_pg_rewind: true,
        parameters: { wal_log_hints: 'on', wal_keep_size: '256MB', max_connections: 100 },
      },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
  },
  postgresql: {
    listen: `127.0.0.1:${ports.postgres}`,
    connect_address: `127.0.0.1:${ports.postgres}`,
    data_dir: join(directory, 'data'),
    bin_dir: programs,
    pgpass: join(directory, 'pgpass'),
    pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
    parameters: { unix_socket_directories: directory },
    create_replica_methods: ['basebackup'],
    basebackup: { checkpoint: 'fast' },
  },
});

function startNode(node: Node, account: Account): void {
  node.patroni = spawn('patroni', [`${node.directory}.yml`], { ...account, cwd: node.directory, stdio: 'inherit' });
}

const haproxyFor = (port: number, nodes: readonly Node[]) => `
defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  timeout client 1h
  timeout server 1h
listen leader
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, ports }) => `  server ${name} 127.0.0.1:${ports.postgres} check port ${ports.rest}\n`).join('')}`;

/** Kills the processes of a server. The first one is stopped before, so that it cannot tell the others. */
async function killPostgres({ directory }: Node): Promise<void> {
  const [pid = ''] = (await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGSTOP');
  spawnSync('pkill', ['-KILL', '-P', pid]);
  process.kill(Number(pid), 'SIGKILL');
}

/** The members, as a node that answers knows them. */
async function membersOf(nodes: readonly Node[]): Promise<Member[]> {
  for (const { ports } of nodes) {
    try {
      const response = await fetch(`http://127.0.0.1:${ports.rest}/cluster`, { signal: AbortSignal.timeout(1_000) });
      if (response.ok) return ((await response.json()) as { members: Member[] }).members; // of Patroni's API
    } catch {
      // It was killed, or has not started yet.
    }
  }
  return [];
}

/** The node that says of itself that it leads and accepts writes: the list of members can be older. */
async function leaderOf(nodes: readonly Node[]): Promise<string | undefined> {
  for (const { name, ports } of nodes) {
    const answer = fetch(`http://127.0.0.1:${ports.rest}/primary`, { signal: AbortSignal.timeout(1_000) });
    const isLeader = await answer.then(
      async (response) => {
        const { state } = (await response.json()) as { state: string }; // of Patroni's API
        return response.ok && state === 'running';
      },
      () => false,
    );
    if (isLeader) return name;
  }
  return undefined;
}

async function complete(nodes: readonly Node[], account: Account): Promise<void> {
  for (const node of nodes) {
    const { patroni } = node;
    if (patroni && (patroni.exitCode !== null || patroni.signalCode !== null)) startNode(node, account);
  }
  await until('three members', async () => {
    const members = await membersOf(nodes);
    const roles = members
      .filter(({ state }) => state === 'running' || state === 'streaming')
      .map(({ role }) => role)
      .toSorted();
    return roles.join() === 'leader,replica,sync_standby';
  });
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 180_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Waited for ${what} for three minutes.`);
    await sleep(100);
  }
}
