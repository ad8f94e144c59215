import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import git from 'isomorphic-git';
import { readEntries, writeEntries } from '../src/domain/sources/git/transport/git-tree.ts';
import { objectsIn } from '../src/domain/sources/git/transport/open-objects.ts';

const ZERO = '0'.repeat(40);

/** A bare repository that is served over smart HTTP (gitprotocol-http), and what people with git do in it. */
export class GitRepository {
  readonly gitdir: string;
  readonly url: string;
  /** Basic credentials that requests must have. */
  credentials: string | undefined;
  /** Refuses pushes like a `pre-receive` hook, with this reason. */
  refusal: string | undefined;
  /** The only branch that `refusal` is about, if it is not about all. */
  protectedRef: string | undefined;
  /** Further refs, such as those of pull requests. */
  readonly refs = new Map<string, string>();
  /** Called before the branches are listed for reading, such as to change the connection first. */
  beforeListing: (() => Promise<void>) | undefined;
  /** Called before a push is taken, such as to push something else first. */
  beforePush: (() => Promise<void>) | undefined;
  /** Takes pushes and cuts the connection instead of answering. */
  losesAnswer = false;
  /** Redirects every request to the same path below this address. */
  redirectsTo: string | undefined;
  /** Sends packs that never end, until the client leaves. */
  isEndless = false;
  /** Bytes of endless packs that were sent. */
  sentBytes = 0;
  /** Requests that came, as method and path. */
  readonly requests: string[] = [];

  constructor(gitdir: string, url: string) {
    this.gitdir = gitdir;
    this.url = url;
  }

  /** Commits files: null deletes one. Answers the id of the commit. */
  async commit(files: Record<string, string | Uint8Array | null>, branch = 'main', message = 'Edit'): Promise<string> {
    const { gitdir } = this;
    const ref = `refs/heads/${branch}`;
    const parent = await this.tip(branch);
    const all = parent === undefined ? new Map<string, string>() : await this.#oids(parent);
    for (const [path, content] of Object.entries(files)) {
      if (content === null) all.delete(path);
      else all.set(path, await git.writeBlob({ fs, gitdir, blob: Buffer.from(content) }));
    }
    const tree = await this.#writeTree([...all]);
    const author = { name: 'Ann', email: 'ann@example.com' };
    const parents = parent === undefined ? [] : [parent];
    return git.commit({ fs, gitdir, message, tree, ref, parent: parents, author, committer: author });
  }

  /** Replaces the branch by one commit without history, as a forced push does. */
  async rewrite(files: Record<string, string>, branch = 'main'): Promise<string> {
    await git.deleteRef({ fs, gitdir: this.gitdir, ref: `refs/heads/${branch}` });
    return this.commit(files, branch, 'Rewrite');
  }

  async removeBranch(branch: string): Promise<void> {
    await git.deleteRef({ fs, gitdir: this.gitdir, ref: `refs/heads/${branch}` });
  }

  async renameBranch(from: string, to: string): Promise<void> {
    const value = await git.resolveRef({ fs, gitdir: this.gitdir, ref: `refs/heads/${from}` });
    await git.writeRef({ fs, gitdir: this.gitdir, ref: `refs/heads/${to}`, value });
    await this.removeBranch(from);
  }

  async tip(branch = 'main'): Promise<string | undefined> {
    return git.resolveRef({ fs, gitdir: this.gitdir, ref: `refs/heads/${branch}` }).catch(() => undefined);
  }

  /** The files of a branch with their text. */
  async files(branch = 'main'): Promise<Record<string, string>> {
    const tip = await this.tip(branch);
    const oids = tip === undefined ? [] : [...(await this.#oids(tip))];
    const texts = await Promise.all(
      oids.map(async ([path, oid]) => {
        const { blob } = await git.readBlob({ fs, gitdir: this.gitdir, oid });
        return [path, Buffer.from(blob).toString('utf8')] as const;
      }),
    );
    return Object.fromEntries(texts.sort());
  }

  async log(branch = 'main') {
    return (await git.log({ fs, gitdir: this.gitdir, ref: `refs/heads/${branch}` })).map(({ oid, commit }) => ({
      oid,
      ...commit,
    }));
  }

  /** Adds entries that are no files, such as symbolic links. */
  async commitEntry(name: string, entry: { mode: string; content: string }, branch = 'main'): Promise<string> {
    const { gitdir } = this;
    const parent = (await this.tip(branch)) ?? '';
    const { commit } = await git.readCommit({ fs, gitdir, oid: parent });
    const { tree: entries } = await git.readTree({ fs, gitdir, oid: commit.tree });
    const isModule = entry.mode === '160000';
    const oid = isModule ? entry.content : await git.writeBlob({ fs, gitdir, blob: Buffer.from(entry.content) });
    const type = isModule ? 'commit' : 'blob';
    const tree = await git.writeTree({ fs, gitdir, tree: [...entries, { mode: entry.mode, path: name, oid, type }] });
    const author = { name: 'Ann', email: 'ann@example.com' };
    const ref = `refs/heads/${branch}`;
    return git.commit({ fs, gitdir, message: 'Entry', tree, ref, parent: [parent], author, committer: author });
  }

  /** Adds a file whose name can be any bytes. */
  async commitNamed(name: Buffer, content: string, branch = 'main'): Promise<string> {
    const { gitdir } = this;
    const parent = (await this.tip(branch)) ?? '';
    const { commit } = await git.readCommit({ fs, gitdir, oid: parent });
    const oid = await git.writeBlob({ fs, gitdir, blob: Buffer.from(content) });
    const before = await readEntries(objectsIn(gitdir), commit.tree);
    const tree = await writeEntries(gitdir, [...before, { mode: '100644', name, oid }]);
    const author = { name: 'Ann', email: 'ann@example.com' };
    const ref = `refs/heads/${branch}`;
    return git.commit({ fs, gitdir, message: 'Name', tree, ref, parent: [parent], author, committer: author });
  }

  /** Modes and object IDs of all entries but directories, by path. */
  async entries(encoding: 'utf8' | 'latin1' = 'utf8', branch = 'main'): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const walk = async (oid: string, prefix: string): Promise<void> => {
      for (const { mode, name, oid: its } of await readEntries(objectsIn(this.gitdir), oid)) {
        const path = `${prefix}${name.toString(encoding)}`;
        if (mode === '40000') await walk(its, `${path}/`);
        else found.set(path, `${mode} ${its}`);
      }
    };
    const { commit } = await git.readCommit({ fs, gitdir: this.gitdir, oid: (await this.tip(branch)) ?? '' });
    await walk(commit.tree, '');
    return found;
  }

  /** The bytes of a file. */
  async bytes(path: string, branch = 'main'): Promise<Buffer> {
    const oid = (await this.entries('utf8', branch)).get(path)?.slice(-40) ?? '';
    return Buffer.from((await git.readBlob({ fs, gitdir: this.gitdir, oid })).blob);
  }

  /** Adds as many directories, each with as many files, all with the same bytes. */
  async commitCopies({ directories, files }: { directories: number; files: number }, branch = 'main'): Promise<string> {
    const { gitdir } = this;
    const names = (count: number, start: string) => Array.from({ length: count }, (_, index) => `${start}${index}`);
    const oid = await git.writeBlob({ fs, gitdir, blob: Buffer.from('copy') });
    const blobs = names(files, 'f').map((path) => ({ mode: '100644', path, oid, type: 'blob' as const }));
    const folder = await git.writeTree({ fs, gitdir, tree: blobs });
    const folders = names(directories, 'd').map((path) => ({
      mode: '040000',
      path,
      oid: folder,
      type: 'tree' as const,
    }));
    const parent = (await this.tip(branch)) ?? '';
    const { commit } = await git.readCommit({ fs, gitdir, oid: parent });
    const { tree: entries } = await git.readTree({ fs, gitdir, oid: commit.tree });
    const tree = await git.writeTree({ fs, gitdir, tree: [...entries, ...folders] });
    const author = { name: 'Ann', email: 'ann@example.com' };
    const ref = `refs/heads/${branch}`;
    return git.commit({ fs, gitdir, message: 'Copies', tree, ref, parent: [parent], author, committer: author });
  }

  /** Commits a tree whose entries are all the same tree, again and again, down to submodules. */
  async commitTreeBomb({ depth, width }: { depth: number; width: number }, branch = 'main'): Promise<string> {
    const { gitdir } = this;
    const names = Array.from({ length: width }, (_, index) => `entry-${index}`);
    const modules = names.map((path) => ({ mode: '160000', path, oid: '1'.repeat(40), type: 'commit' as const }));
    let tree = await git.writeTree({ fs, gitdir, tree: modules });
    for (let level = 0; level < depth; level++) {
      const entries = names.map((path) => ({ mode: '040000', path, oid: tree, type: 'tree' as const }));
      tree = await git.writeTree({ fs, gitdir, tree: entries });
    }
    const author = { name: 'Ann', email: 'ann@example.com' };
    const parent = [(await this.tip(branch)) ?? ''];
    const ref = `refs/heads/${branch}`;
    return git.commit({ fs, gitdir, message: 'Trees', tree, ref, parent, author, committer: author });
  }

  async #oids(commit: string): Promise<Map<string, string>> {
    const oids = new Map<string, string>();
    const walk = async (oid: string, prefix: string): Promise<void> => {
      const { tree } = await git.readTree({ fs, gitdir: this.gitdir, oid });
      for (const entry of tree) {
        if (entry.type === 'tree') await walk(entry.oid, `${prefix}${entry.path}/`);
        else oids.set(`${prefix}${entry.path}`, entry.oid);
      }
    };
    await walk((await git.readCommit({ fs, gitdir: this.gitdir, oid: commit })).commit.tree, '');
    return oids;
  }

  async #writeTree(files: [string, string][]): Promise<string> {
    const below = new Map<string, [string, string][]>();
    const tree: Parameters<typeof git.writeTree>[0]['tree'] = [];
    for (const [path, oid] of files) {
      const [name = '', ...rest] = path.split('/');
      if (rest.length === 0) tree.push({ mode: '100644', path: name, oid, type: 'blob' });
      else below.set(name, [...(below.get(name) ?? []), [rest.join('/'), oid]]);
    }
    for (const [name, inside] of below) {
      tree.push({ mode: '040000', path: name, oid: await this.#writeTree(inside), type: 'tree' });
    }
    return git.writeTree({ fs, gitdir: this.gitdir, tree });
  }
}

/** Serves bare repositories on this machine. */
export async function startGitServer() {
  const folder = await mkdtemp(join(tmpdir(), 'stemma-git-'));
  const repositories = new Map<string, GitRepository>();
  const server = createServer((request, response) => {
    answer(repositories, request, response).catch((error) => {
      console.error(error);
      response.writeHead(500).end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    async repository(name: string): Promise<GitRepository> {
      const gitdir = join(folder, `${name}.git`);
      await mkdir(gitdir, { recursive: true });
      await git.init({ fs, dir: gitdir, gitdir, bare: true, defaultBranch: 'main' });
      const repository = new GitRepository(gitdir, `http://127.0.0.1:${port}/${name}.git`);
      repositories.set(name, repository);
      return repository;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answer(all: Map<string, GitRepository>, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [, name = '', path = ''] = /^\/([^/]+)\.git\/(.*)$/.exec(url.pathname) ?? [];
  const repository = all.get(name);
  if (!repository) return void response.writeHead(404).end();
  repository.requests.push(`${request.method} ${url.pathname}${url.search}`);
  if (repository.redirectsTo !== undefined) {
    return void response.writeHead(302, { location: `${repository.redirectsTo}/${path}${url.search}` }).end();
  }
  const expected = repository.credentials && `Basic ${Buffer.from(repository.credentials).toString('base64')}`;
  if (expected && request.headers.authorization !== expected) {
    return void response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
  }
  const service = path === 'info/refs' ? (url.searchParams.get('service') ?? '') : path;
  const type = (suffix: string) => ({ 'content-type': `application/x-${service}-${suffix}` });
  if (path === 'info/refs') {
    if (service === 'git-upload-pack') await repository.beforeListing?.();
    response.writeHead(200, type('advertisement'));
    return void response.end(
      Buffer.concat([line(`# service=${service}\n`), FLUSH, await advertise(repository, service)]),
    );
  }
  const body = await buffer(request);
  if (repository.isEndless && service === 'git-upload-pack') {
    response.writeHead(200, type('result'));
    return sendEndlessly(repository, response);
  }
  const result =
    service === 'git-upload-pack' ? await uploadPack(repository, body) : await receivePack(repository, body);
  if (service === 'git-receive-pack' && repository.losesAnswer) return void request.socket.destroy();
  response.writeHead(200, type('result'));
  response.end(result);
}

const FLUSH = Buffer.from('0000');

const line = (text: string | Uint8Array) => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
};

async function refsOf({ gitdir, refs: others }: GitRepository): Promise<[string, string][]> {
  const branches = await git.listBranches({ fs, gitdir });
  const own = await Promise.all(
    branches.map(async (branch) => {
      const ref = `refs/heads/${branch}`;
      return [ref, await git.resolveRef({ fs, gitdir, ref })] satisfies [string, string];
    }),
  );
  return [...own, ...others];
}

async function advertise(repository: GitRepository, service: string): Promise<Buffer> {
  const refs = await refsOf(repository);
  const abilities =
    service === 'git-upload-pack' ? 'shallow side-band-64k no-progress' : 'report-status delete-refs side-band-64k';
  const shown = refs.length > 0 ? refs : [['capabilities^{}', ZERO]];
  const lines = shown.map(([ref, oid], index) =>
    line(`${oid} ${ref}${index === 0 ? `\0${abilities} agent=test` : ''}\n`),
  );
  return Buffer.concat([...lines, FLUSH]);
}

/** The pkt-lines up to the end, or to the pack that follows them. */
function linesOf(body: Buffer): { lines: string[]; rest: Buffer } {
  const lines: string[] = [];
  let at = 0;
  while (at < body.length && body.toString('latin1', at, at + 4) !== 'PACK') {
    const length = Number.parseInt(body.toString('latin1', at, at + 4), 16);
    if (length > 4) lines.push(body.toString('utf8', at + 4, at + length).replace(/\n$/, ''));
    at += Math.max(4, length);
  }
  return { lines, rest: body.subarray(at) };
}

/** Sends the wanted commits, with as much of their history as `deepen` asks for. */
async function uploadPack({ gitdir }: GitRepository, body: Buffer): Promise<Buffer> {
  const { lines } = linesOf(body);
  const wanted = lines.flatMap((each) => /^want ([0-9a-f]{40})/.exec(each)?.[1] ?? []);
  const depth = Number(/deepen (\d+)/.exec(lines.join('\n'))?.[1] ?? 1);
  const formerly = new Set(lines.flatMap((each) => /^shallow ([0-9a-f]{40})/.exec(each)?.[1] ?? []));
  const oids: string[] = [];
  const shallow: Buffer[] = [];
  let commits = [...new Set(wanted)];
  for (let level = 1; level <= depth && commits.length > 0; level++) {
    const parents: string[] = [];
    for (const oid of commits) {
      const { commit } = await git.readCommit({ fs, gitdir, oid });
      oids.push(oid);
      if (level < depth) parents.push(...commit.parent);
      if (level === depth && commit.parent.length > 0) shallow.push(line(`shallow ${oid}`));
      else if (formerly.has(oid)) shallow.push(line(`unshallow ${oid}`));
      await objectsOf(gitdir, commit.tree, oids);
    }
    commits = parents.filter((oid) => !oids.includes(oid));
  }
  const { packfile = new Uint8Array() } = await git.packObjects({ fs, gitdir, oids: [...new Set(oids)] });
  const bands: Buffer[] = [];
  for (let at = 0; at < packfile.length; at += 60_000) {
    bands.push(line(Buffer.concat([Buffer.of(1), packfile.subarray(at, at + 60_000)])));
  }
  return Buffer.concat([...shallow, ...(/deepen/.test(lines.join()) ? [FLUSH] : []), line('NAK\n'), ...bands, FLUSH]);
}

/** Sends a pack with one blob, whose bytes never end. */
async function sendEndlessly(repository: GitRepository, response: ServerResponse): Promise<void> {
  const header = Buffer.from('5041434b000000020000000130', 'hex');
  response.write(Buffer.concat([line('NAK\n'), line(Buffer.concat([Buffer.of(1), header]))]));
  const band = line(Buffer.concat([Buffer.of(1), randomBytes(65_000)]));
  function* bands() {
    for (;;) {
      repository.sentBytes += band.length;
      yield band;
    }
  }
  await pipeline(Readable.from(bands()), response).catch(() => {});
}

async function objectsOf(gitdir: string, oid: string, oids: string[], seen = new Set<string>()): Promise<void> {
  if (seen.has(oid)) return;
  seen.add(oid);
  oids.push(oid);
  for (const entry of await readEntries(objectsIn(gitdir), oid)) {
    if (entry.mode === '40000') await objectsOf(gitdir, entry.oid, oids, seen);
    else if (entry.mode !== '160000') oids.push(entry.oid);
  }
}

async function receivePack(repository: GitRepository, body: Buffer): Promise<Buffer> {
  const { gitdir, refusal } = repository;
  await repository.beforePush?.();
  const { lines, rest } = linesOf(body);
  const [command = ''] = lines;
  const [old = '', oid = '', ref = ''] = (command.split('\0')[0] ?? '').trim().split(' ');
  const said = (text: string) => {
    const report = Buffer.concat([line('unpack ok\n'), line(text), FLUSH]);
    return Buffer.concat([line(Buffer.concat([Buffer.of(1), report])), FLUSH]);
  };
  if (refusal !== undefined && [undefined, ref].includes(repository.protectedRef))
    return said(`ng ${ref} ${refusal}\n`);
  if (rest.length > 0) {
    const name = `pack-${createHash('sha1').update(rest).digest('hex')}.pack`;
    const filepath = join('objects', 'pack', name);
    await mkdir(join(gitdir, 'objects', 'pack'), { recursive: true });
    await writeFile(join(gitdir, filepath), rest);
    await git.indexPack({ fs, dir: gitdir, gitdir, filepath });
  }
  const present = await git.resolveRef({ fs, gitdir, ref }).catch(() => ZERO);
  if (present !== old) return said(`ng ${ref} fetch first\n`);
  await git.writeRef({ fs, gitdir, ref, value: oid, force: true });
  return said(`ok ${ref}\n`);
}
