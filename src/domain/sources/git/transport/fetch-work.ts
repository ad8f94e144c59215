import fs from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import git, { type CommitObject } from 'isomorphic-git';
import { lineSketch } from '../../../../lib/repository/line-sketch.ts';
import { isMarkdown } from '../../../../lib/repository/repository-path.ts';
import { cutTo } from '../../../../platform/text.ts';
import { rejectLargePack, withBoundedObjects } from './bounded-objects.ts';
import { faultOf, RemoteError } from './fault-of.ts';
import { LINK, MODULE, nameIn, type ObjectCache, readEntries, TREE, type TreeEntry } from './git-tree.ts';
import { gitHttp } from './http-client.ts';
import type { Remote, RemoteCommit, RemoteFault, RemoteFile, SkippedEntry } from './remote.ts';

export interface FetchInput {
  remote: Remote;
  /** Folder of the project in the repository; empty for the whole repository. */
  directory: string;
  /** A folder for the repository and the files. */
  folder: string;
  /** Number of commits to fetch; 1 for the files of the tip. */
  depth: number;
}

export interface Fetched {
  /** Null for a branch that does not exist in a repository without any branch. */
  commit: RemoteCommit | null;
  files: RemoteFile[];
  skipped: SkippedEntry[];
  /** Size of the pack of all files of the commit. */
  packBytes: number;
}

export type FetchOutcome = { fetched: Fetched } | { fault: RemoteFault };

const MAX_FILES = 20_000;
const MAX_TOTAL_BYTES = 512 * 1024 * 1024;
const MAX_DEPTH = 64;
/** Directories, files and entries that are skipped. A few trees that contain each other repeatedly can have billions. */
const MAX_ENTRIES = 100_000;
const MAX_MESSAGE = 10_000;

/** Runs in a thread: fetches the tip of a branch and writes the files of its commit to the folder. */
export async function work(input: FetchInput, post: (beat: true) => void): Promise<FetchOutcome> {
  const http = gitHttp(input.remote);
  try {
    return { fetched: await withBoundedObjects(() => fetchFiles(input, http, post)) };
  } catch (error) {
    const fault = faultOf(error);
    if (fault) return { fault };
    throw error;
  } finally {
    await http.close();
  }
}

async function fetchFiles(
  input: FetchInput,
  http: ReturnType<typeof gitHttp>,
  post: (beat: true) => void,
): Promise<Fetched> {
  const { remote, folder, directory, depth } = input;
  const gitdir = gitdirIn(folder);
  await git.init({ fs, dir: folder, gitdir, bare: true });
  await git.addRemote({ fs, gitdir, remote: 'origin', url: remote.url });
  const cache: ObjectCache = {};
  const { oid, packBytes } = await tipOf(remote, depth, { gitdir, http, cache, post });
  if (oid === null) return { commit: null, files: [], skipped: [], packBytes };
  const { commit } = await git.readCommit({ fs, gitdir, oid, cache });
  const reader = new TreeReader({ gitdir, folder, cache, post });
  await reader.read(await treeAt({ gitdir, cache }, commit.tree, directory), '', 0);
  const { files, skipped } = reader;
  const ancestors = depth === 1 ? [] : await git.log({ fs, gitdir, cache, ref: oid, depth });
  return {
    commit: { oid, ...shownOf(commit), ancestors: ancestors.slice(1).map(({ oid: each }) => each) },
    files,
    skipped,
    packBytes,
  };
}

/** Commits can have any bytes and sizes, and lack what git writes. PostgreSQL does not store NUL. */
function shownOf({ message, committer }: Partial<CommitObject>): Pick<RemoteCommit, 'message' | 'committerEmail'> {
  const text = (value: string | undefined) => cutTo(MAX_MESSAGE, (value ?? '').replaceAll('\0', ''));
  return { message: text(message), committerEmail: text(committer?.email) };
}

export const gitdirIn = (folder: string) => join(folder, 'repository.git');

interface Reading {
  gitdir: string;
  cache: ObjectCache;
  post: (beat: true) => void;
}

async function tipOf(
  { url, ref }: Remote,
  depth: number,
  { gitdir, http, cache, post }: Reading & { http: ReturnType<typeof gitHttp> },
): Promise<{ oid: string | null; packBytes: number }> {
  const refs = await git.listServerRefs({ http, url, protocolVersion: 1 });
  if (refs.length === 0) return { oid: null, packBytes: 0 };
  const wanted = refs.find((each) => each.ref === ref);
  if (!wanted) throw new RemoteError('NO_BRANCH', `The repository has no branch "${ref}".`);
  const pack = { bytes: 0 };
  const { fetchHead } = await git.fetch({
    fs: withBoundedPack(pack),
    http,
    gitdir,
    cache,
    url,
    remote: 'origin',
    ref,
    remoteRef: ref,
    singleBranch: true,
    tags: false,
    depth,
    onProgress: () => post(true),
  });
  return { oid: fetchHead ?? wanted.oid, packBytes: pack.bytes };
}

/** The file system for a fetch. A pack with too many objects is refused before they are read. */
const withBoundedPack = (pack: { bytes: number }) => ({
  promises: {
    ...fs.promises,
    async writeFile(path: string, data: Uint8Array | string, options: object) {
      if (path.endsWith('.pack') && typeof data !== 'string') {
        rejectLargePack(data);
        pack.bytes = data.length;
      }
      await fs.promises.writeFile(path, data, options);
    },
  },
});

async function treeAt(
  { gitdir, cache }: Pick<Reading, 'gitdir' | 'cache'>,
  root: string,
  directory: string,
): Promise<string> {
  let oid = root;
  for (const name of directory === '' ? [] : directory.split('/')) {
    const entries = await readEntries(gitdir, oid, cache);
    const entry = entries.find((each) => each.mode === TREE && nameIn(each) === name);
    if (!entry) throw new RemoteError('NO_DIRECTORY', `The repository has no directory "${directory}".`);
    oid = entry.oid;
  }
  return oid;
}

/** Names that could leave the folder, or that git itself does not check out. */
const isUnsafe = (name: string) => name === '' || name === '.' || name === '..' || /[\\\0]|^\.git$/i.test(name);

const POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\//;

/** The kind of an entry that is not read. Undefined for files and directories. */
function kindOf(entry: TreeEntry): SkippedEntry['kind'] | undefined {
  const name = nameIn(entry);
  if (name === undefined) return 'encoding';
  if (isUnsafe(name)) return 'unsafe-path';
  if (entry.mode === MODULE) return 'submodule';
  return entry.mode === LINK ? 'symlink' : undefined;
}

class TreeReader {
  readonly files: RemoteFile[] = [];
  readonly skipped: SkippedEntry[] = [];
  readonly #in: Reading & { folder: string };
  readonly #read = new Map<string, Pick<RemoteFile, 'size' | 'sketch'>>();
  #bytes = 0;
  #entries = 0;

  constructor(reading: Reading & { folder: string }) {
    this.#in = reading;
  }

  async read(oid: string, prefix: string, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) throw new RemoteError('TOO_LARGE', `Directories are nested more than ${MAX_DEPTH} deep.`);
    this.#in.post(true);
    const entries = await readEntries(this.#in.gitdir, oid, this.#in.cache);
    this.#entries += entries.length;
    if (this.#entries > MAX_ENTRIES) {
      throw new RemoteError('TOO_LARGE', `The project directory has more than ${MAX_ENTRIES} files and directories.`);
    }
    for (const entry of entries) {
      const path = `${prefix}${entry.name.toString('utf8')}`;
      const kind = kindOf(entry);
      if (kind) this.skipped.push({ path, kind });
      else if (entry.mode === TREE) await this.read(entry.oid, `${path}/`, depth + 1);
      else await this.#readFile(path, entry.oid);
    }
  }

  async #readFile(path: string, oid: string): Promise<void> {
    if (this.files.length >= MAX_FILES) {
      throw new RemoteError('TOO_LARGE', `The repository has more than ${MAX_FILES} files in the project directory.`);
    }
    this.files.push({ path, oid, ...(this.#read.get(oid) ?? (await this.#write(path, oid))) });
  }

  async #write(path: string, oid: string): Promise<Pick<RemoteFile, 'size' | 'sketch'>> {
    const { blob } = await git.readBlob({ fs, gitdir: this.#in.gitdir, oid, cache: this.#in.cache });
    this.#bytes += blob.length;
    if (this.#bytes > MAX_TOTAL_BYTES) {
      throw new RemoteError('TOO_LARGE', `The files have more than ${MAX_TOTAL_BYTES} bytes in all.`);
    }
    if (blob.length < 1_024 && POINTER.test(Buffer.from(blob).toString('latin1'))) {
      this.skipped.push({ path, kind: 'pointer' });
    }
    await writeFile(join(this.#in.folder, oid), blob);
    const sketch = isMarkdown(path) ? { sketch: lineSketch(Buffer.from(blob).toString('utf8')) } : {};
    const read = { size: blob.length, ...sketch };
    this.#read.set(oid, read);
    return read;
  }
}
