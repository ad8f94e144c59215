import fs from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import git, { type CommitObject } from 'isomorphic-git';
import { lineSketch } from '../../../../lib/repository/line-sketch.ts';
import { isMarkdown } from '../../../../lib/repository/repository-path.ts';
import { cutTo } from '../../../../platform/text.ts';
import { isAncestor } from './ancestry.ts';
import { withBoundedObjects } from './bounded-objects.ts';
import { faultOf, RemoteError } from './fault-of.ts';
import { gitHttp } from './http-client.ts';
import type { Remote, RemoteCommit, RemoteFault, RemoteFile, SkippedEntry } from './remote.ts';

export interface FetchInput {
  remote: Remote;
  /** Folder of the project in the repository; empty for the whole repository. */
  directory: string;
  /** A folder for the repository and the files. */
  folder: string;
  /** A commit that the branch had, to find out whether it still has it. */
  known?: string | undefined;
}

export interface Fetched {
  /** Null for a branch that does not exist in a repository without any branch. */
  commit: RemoteCommit | null;
  files: RemoteFile[];
  skipped: SkippedEntry[];
  /** Whether the branch has the commit that was asked for. Undefined if it is not known. */
  hasKnown?: boolean | undefined;
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

async function fetchFiles(input: FetchInput, http: ReturnType<typeof gitHttp>, post: (beat: true) => void) {
  const { remote, folder, directory } = input;
  const gitdir = gitdirIn(folder);
  await git.init({ fs, dir: folder, gitdir, bare: true });
  await git.addRemote({ fs, gitdir, remote: 'origin', url: remote.url });
  const oid = await tipOf(remote, gitdir, http, post);
  if (oid === null) return { commit: null, files: [], skipped: [] };
  const { commit } = await git.readCommit({ fs, gitdir, oid });
  const reader = new TreeReader(gitdir, folder, post);
  await reader.read(await treeAt(gitdir, commit.tree, directory), '', 0);
  const { files, skipped } = reader;
  const known = input.known;
  const hasKnown =
    known === undefined ? undefined : await isAncestor(remote, { gitdir, http, tip: oid, commit: known });
  return { commit: { oid, ...shownOf(commit) }, files, skipped, hasKnown };
}

/** Commits can have any bytes and sizes, and lack what git writes. PostgreSQL does not store NUL. */
function shownOf({ message, committer }: Partial<CommitObject>): Pick<RemoteCommit, 'message' | 'committerEmail'> {
  const text = (value: string | undefined) => cutTo(MAX_MESSAGE, (value ?? '').replaceAll('\0', ''));
  return { message: text(message), committerEmail: text(committer?.email) };
}

export const gitdirIn = (folder: string) => join(folder, 'repository.git');

async function tipOf(
  { url, ref }: Remote,
  gitdir: string,
  http: ReturnType<typeof gitHttp>,
  post: (beat: true) => void,
): Promise<string | null> {
  const refs = await git.listServerRefs({ http, url, protocolVersion: 1 });
  if (refs.length === 0) return null;
  const wanted = refs.find((each) => each.ref === ref);
  if (!wanted) throw new RemoteError('NO_BRANCH', `The repository has no branch "${ref}".`);
  const options = { ref, remoteRef: ref, singleBranch: true, tags: false, depth: 1 };
  const { fetchHead } = await git.fetch({
    fs,
    http,
    gitdir,
    url,
    remote: 'origin',
    ...options,
    onProgress: () => post(true),
  });
  return fetchHead ?? wanted.oid;
}

async function treeAt(gitdir: string, root: string, directory: string): Promise<string> {
  let oid = root;
  for (const name of directory === '' ? [] : directory.split('/')) {
    const { tree } = await git.readTree({ fs, gitdir, oid });
    const entry = tree.find(({ path, type }) => path === name && type === 'tree');
    if (!entry) throw new RemoteError('NO_DIRECTORY', `The repository has no directory "${directory}".`);
    oid = entry.oid;
  }
  return oid;
}

/** Names that could leave the folder, or that git itself does not check out. */
const isUnsafe = (name: string) => name === '' || name === '.' || name === '..' || /[\\\0]|^\.git$/i.test(name);

const POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\//;

class TreeReader {
  readonly files: RemoteFile[] = [];
  readonly skipped: SkippedEntry[] = [];
  readonly #gitdir: string;
  readonly #folder: string;
  readonly #post: (beat: true) => void;
  readonly #read = new Map<string, Pick<RemoteFile, 'size' | 'sketch'>>();
  #bytes = 0;
  #entries = 0;

  constructor(gitdir: string, folder: string, post: (beat: true) => void) {
    this.#gitdir = gitdir;
    this.#folder = folder;
    this.#post = post;
  }

  async read(oid: string, prefix: string, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) throw new RemoteError('TOO_LARGE', `Directories are nested more than ${MAX_DEPTH} deep.`);
    this.#post(true);
    const { tree } = await git.readTree({ fs, gitdir: this.#gitdir, oid });
    this.#entries += tree.length;
    if (this.#entries > MAX_ENTRIES) {
      throw new RemoteError('TOO_LARGE', `The project directory has more than ${MAX_ENTRIES} files and directories.`);
    }
    for (const entry of tree) {
      const path = `${prefix}${entry.path}`;
      if (isUnsafe(entry.path)) this.skipped.push({ path, kind: 'unsafe-path' });
      else if (entry.type === 'commit') this.skipped.push({ path, kind: 'submodule' });
      else if (entry.mode === '120000') this.skipped.push({ path, kind: 'symlink' });
      else if (entry.type === 'tree') await this.read(entry.oid, `${path}/`, depth + 1);
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
    const { blob } = await git.readBlob({ fs, gitdir: this.#gitdir, oid });
    this.#bytes += blob.length;
    if (this.#bytes > MAX_TOTAL_BYTES) {
      throw new RemoteError('TOO_LARGE', `The files have more than ${MAX_TOTAL_BYTES} bytes in all.`);
    }
    if (blob.length < 1_024 && POINTER.test(Buffer.from(blob).toString('latin1'))) {
      this.skipped.push({ path, kind: 'pointer' });
    }
    await writeFile(join(this.#folder, oid), blob);
    const sketch = isMarkdown(path) ? { sketch: lineSketch(Buffer.from(blob).toString('utf8')) } : {};
    const read = { size: blob.length, ...sketch };
    this.#read.set(oid, read);
    return read;
  }
}
