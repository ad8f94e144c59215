import { chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type OsAccount, serverAccount } from '../src/platform/database/embedded/account.ts';
import { readPostmaster } from '../src/platform/database/embedded/postmaster.ts';
import { run } from '../src/platform/database/embedded/run.ts';
import { launchServer, type Server } from '../src/platform/database/embedded/server.ts';

type Settings = Readonly<Record<string, string | number>>;

/** A throwaway server of PostgreSQL as a distribution packages it. It ends with this process at the latest. */
export class PackagedServer {
  /** The directory of the programs. */
  readonly #directory: string;
  readonly #account: OsAccount;
  readonly #data: string;
  readonly #settings: Settings;
  readonly #server: Server;

  private constructor(directory: string, account: OsAccount, data: string, settings: Settings, server: Server) {
    this.#directory = directory;
    this.#account = account;
    this.#data = data;
    this.#settings = settings;
    this.#server = server;
  }

  /** An empty server of the programs in `directory`, whose files are in `data`, which must not exist. */
  static async start(directory: string, data: string, settings: Settings = {}): Promise<PackagedServer> {
    const programs = programsIn(directory);
    const account = await serverAccount(programs);
    await makeOwned(data, account);
    const words = ['--pgdata', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'];
    await run([...account.prefix, programs.initdb, ...words], programs.environment);
    return PackagedServer.#launch(directory, account, data, { ...USUAL, ...settings });
  }

  static async #launch(directory: string, account: OsAccount, data: string, settings: Settings) {
    const launch = { programs: programsIn(directory), account, data, settings, logFile: `${data}.log`, log: () => {} };
    return new PackagedServer(directory, account, data, settings, await launchServer(launch));
  }

  /** The address of its superuser. */
  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/postgres`;
  }

  get port(): number {
    return this.#server.port;
  }

  /** A streaming replica of this server, from a base backup. `name` is what it connects with. */
  async replicate(data: string, { name, settings }: { name?: string; settings?: Settings } = {}) {
    await makeOwned(data, this.#account);
    const from = name === undefined ? this.url : `${this.url}?application_name=${name}`;
    const words = ['--pgdata', data, '--dbname', from, '--checkpoint=fast', '--write-recovery-conf', '--no-sync'];
    const { environment } = programsIn(this.#directory);
    await run([...this.#account.prefix, join(this.#directory, 'pg_basebackup'), ...words], environment);
    return PackagedServer.#launch(this.#directory, this.#account, data, { ...this.#settings, ...settings });
  }

  /** Kills the server. It is started again at the same address. */
  async kill(): Promise<void> {
    await this.#signal('SIGKILL');
  }

  /** Ends all its processes at once and for ever, as the loss of its machine would. */
  async lose(): Promise<void> {
    await this.#signal('SIGQUIT');
    await this.stop();
    await rm(this.#data, { recursive: true, force: true });
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }

  async #signal(name: NodeJS.Signals): Promise<void> {
    const running = await readPostmaster(this.#data);
    if (running) process.kill(running.pid, name);
  }
}

const USUAL = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' };

const programsIn = (directory: string) => ({
  initdb: join(directory, 'initdb'),
  postgres: join(directory, 'postgres'),
  environment: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
});

/** Makes an empty directory of the account that the server runs as. */
async function makeOwned(data: string, { uid }: OsAccount): Promise<void> {
  await mkdir(data, { mode: 0o700 });
  if (uid !== undefined) await chown(data, uid, uid);
}
