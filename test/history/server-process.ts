import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Gate } from './gate.ts';

const ROOT = join(import.meta.dirname, '../..');
const PRELOADED = ['end-with-parent.mjs', 'cut-database.mjs'].map((name) => join(import.meta.dirname, name));

/** A server process behind a gate. It is killed and started again; its address stays. */
export class ServerProcess {
  readonly gate: Gate;
  readonly #environment: Record<string, string>;
  #child: ChildProcess | undefined;

  private constructor(gate: Gate, environment: Record<string, string>) {
    this.gate = gate;
    this.#environment = environment;
  }

  /** Starts the bundle, which is built first if the sources have changed. */
  static async start(environment: Record<string, string>): Promise<ServerProcess> {
    execFileSync(process.execPath, [join(ROOT, 'build.mjs')], { stdio: 'inherit' });
    const server = new ServerProcess(await Gate.open(), environment);
    await server.run();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.gate.port}`;
  }

  /** Resolves when it listens. A start that fails, as without a database, is repeated. */
  async run(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const child = spawn(
        process.execPath,
        [...PRELOADED.flatMap((path) => ['--import', path]), join(ROOT, 'dist/main.mjs')],
        {
          // Where no `.env` of the developer's lies.
          cwd: tmpdir(),
          env: {
            PATH: process.env.PATH,
            HOME: process.env.HOME,
            // As `run.mjs` sets it: the next start takes half the time.
            NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/stemma'),
            HISTORY_PARENT: String(process.pid),
            ...this.#environment,
          } as NodeJS.ProcessEnv, // all text
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      this.#child = child;
      // It ends with this process, also if it is paused. Without an exit event, as after SIGKILL, end-with-parent.mjs
      // ends it.
      const abandon = () => child.kill('SIGKILL');
      process.once('exit', abandon);
      child.once('exit', () => process.off('exit', abandon));
      const port = await Promise.race([portIn(child), once(child, 'exit').then(() => undefined)]);
      if (port !== undefined) {
        this.gate.target = port;
        return;
      }
      if (attempt === 20) throw new Error('The server does not start.');
    }
  }

  /** Ends the process as a crash of its machine would, and starts another. */
  async killAndRun(): Promise<void> {
    await this.#end('SIGKILL');
    await this.run();
  }

  /** Stops the process for a time, as a machine without processor time does. */
  async pause(durationMs: number): Promise<void> {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    // A shell of its own, so that the server goes on, and ends, even if this process is killed meanwhile.
    const script = `kill -STOP ${pid}; sleep ${durationMs / 1_000}; kill -CONT ${pid}`;
    await once(spawn('/bin/sh', ['-c', script], { stdio: 'ignore', detached: true }), 'exit');
  }

  /** Breaks its connections to the database, whatever is under way on them. */
  cutDatabase(): void {
    this.#child?.kill('SIGUSR2');
  }

  async stop(): Promise<void> {
    this.gate.close();
    await this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

function portIn(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      printed = `${printed}${chunk}`.slice(-10_000);
      const port = /listens on http:\S+:(\d+)/.exec(printed)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
}
