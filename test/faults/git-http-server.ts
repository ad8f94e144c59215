import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Where the next request is cut off: in the middle of a fetch, in the middle of a push, or after the push was taken.
 */
export type Cut = 'fetch' | 'push' | 'answer';

/** The repositories of a folder, served over HTTP by `git http-backend`. */
export interface GitHttpServer {
  url: string;
  /** Makes a bare repository. */
  create(name: string): Promise<string>;
  /** Cuts off the next request of this kind. */
  cut(kind: Cut | undefined): void;
  /** Number of requests that were cut off. */
  readonly cuts: number;
  close(): void;
}

/** `folder` must exist. */
export async function startGitHttpServer(folder: string): Promise<GitHttpServer> {
  // Run directly, so that it can be killed.
  const programs = (await run('git', ['--exec-path'])).stdout.trim();
  const state: { next: Cut | undefined; cuts: number } = { next: undefined, cuts: 0 };
  const take = (...kinds: Cut[]): Cut | undefined => {
    const { next } = state;
    if (next === undefined || !kinds.includes(next)) return undefined;
    state.next = undefined;
    state.cuts++;
    return next;
  };
  const server = createServer((request, response) => {
    serve({ folder, programs }, request, response, take).catch((error) => {
      console.error(error);
      response.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async create(name) {
      const gitdir = join(folder, `${name}.git`);
      await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', gitdir]);
      await run('git', ['--git-dir', gitdir, 'config', 'http.receivepack', 'true']);
      return gitdir;
    },
    cut(kind) {
      state.next = kind;
    },
    get cuts() {
      return state.cuts;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Protects all branches of a repository like a hosting service does, or no longer. */
export async function protectBranches(gitdir: string, isProtected: boolean): Promise<void> {
  const hook = join(gitdir, 'hooks', 'pre-receive');
  await mkdir(join(gitdir, 'hooks'), { recursive: true });
  await writeFile(hook, `#!/bin/sh\n${isProtected ? 'echo "the branch is protected" >&2; exit 1' : 'exit 0'}\n`);
  await chmod(hook, 0o755);
}

async function serve(
  { folder, programs }: { folder: string; programs: string },
  request: IncomingMessage,
  response: ServerResponse,
  take: (...kinds: Cut[]) => Cut | undefined,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const cut =
    request.method !== 'POST'
      ? undefined
      : url.pathname.endsWith('git-upload-pack')
        ? take('fetch')
        : take('push', 'answer');
  const backend = spawn(join(programs, 'git-http-backend'), [], {
    env: environmentOf(folder, url, request),
    stdio: 'pipe',
  });
  backend.stderr.resume();
  backend.stdin.on('error', () => {});
  if (cut === 'push') {
    // The server gets the beginning of the pack.
    request.once('data', (chunk: Buffer) => {
      backend.stdin.write(chunk.subarray(0, Math.floor(chunk.length / 2)));
      request.socket.destroy();
      // It would wait for the rest of a body whose length is known.
      setTimeout(() => backend.kill('SIGKILL'), 200);
    });
    return;
  }
  request.pipe(backend.stdin);
  const chunks: Buffer[] = [];
  for await (const chunk of backend.stdout) chunks.push(chunk as Buffer);
  if (cut === 'answer') return void request.socket.destroy();
  const all = Buffer.concat(chunks);
  const end = all.indexOf('\r\n\r\n');
  const headers = all.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^Status: (\d+)/im.exec(headers.join('\n'))?.[1] ?? 200);
  const named = headers.flatMap((line) => (line.startsWith('Status:') ? [] : [line.split(': ') as [string, string]]));
  const body = all.subarray(end + 4);
  response.writeHead(status, Object.fromEntries(named));
  if (cut !== 'fetch') return void response.end(body);
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => request.socket.destroy());
}

/** The environment of a CGI program (RFC 3875). */
function environmentOf(folder: string, url: URL, { method, headers }: IncomingMessage): NodeJS.ProcessEnv {
  const given = (name: string) => [headers[name] ?? ''].flat().join(', ');
  return {
    PATH: process.env.PATH,
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: decodeURIComponent(url.pathname),
    QUERY_STRING: url.search.slice(1),
    REQUEST_METHOD: method,
    CONTENT_TYPE: given('content-type'),
    ...(headers['content-length'] !== undefined && { CONTENT_LENGTH: given('content-length') }),
    HTTP_CONTENT_ENCODING: given('content-encoding'),
    ...(headers['git-protocol'] !== undefined && { GIT_PROTOCOL: given('git-protocol') }),
    REMOTE_ADDR: '127.0.0.1',
    REMOTE_USER: 'git',
  } as NodeJS.ProcessEnv;
}
