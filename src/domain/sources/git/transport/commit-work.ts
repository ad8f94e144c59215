import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import git from 'isomorphic-git';
import { lineSketch } from '../../../../lib/repository/line-sketch.ts';
import { isMarkdown } from '../../../../lib/repository/repository-path.ts';
import { MAX_OBJECT_BYTES, withBoundedObjects } from './bounded-objects.ts';
import { type GitObjects, gitdirIn, readCommit } from './git-objects.ts';
import { isFile, readEntries, TREE_MODE, type TreeEntry, writeEntries } from './git-tree.ts';
import { openObjects } from './open-objects.ts';
import type { RemoteFault, RemoteFile } from './remote.ts';
import { outcomeOf, RemoteError } from './remote-fault.ts';

/** A file to write or delete, by its path relative to the project directory. */
export interface FileChange {
  path: string;
  /** File on this machine with the new bytes; null to delete it. */
  place: string | null;
}

export interface Person {
  name: string;
  email: string;
}

export interface CommitInput {
  directory: string;
  /** Folder of an earlier fetch of the branch. */
  folder: string;
  /** The program `git` that fetched it. Undefined for isomorphic-git. */
  program?: string | undefined;
  /** Commit that the changes are made to; null for the first one. */
  parent: string | null;
  changes: FileChange[];
  message: string;
  author: Person;
  committer: Person;
  /** Time of the commit in seconds since 1970. */
  timestamp: number;
}

/** A commit in the folder. */
export interface Committed {
  oid: string;
  /** All objects that the commit has and its parent does not. */
  objects: string[];
  written: Omit<RemoteFile, 'size'>[];
}

/** Null for changes after which the files are those of the parent. */
export type CommitOutcome = { committed: Committed | null } | { fault: RemoteFault };

/** Runs in a worker: makes a commit of the changes in the folder. */
export async function work(input: CommitInput, post: (beat: true) => void): Promise<CommitOutcome> {
  const objects = openObjects(gitdirIn(input.folder), input.program);
  try {
    return await outcomeOf(async () => ({
      committed: await withBoundedObjects(() => new Committer(input, objects, post).commit()),
    }));
  } finally {
    objects.close();
  }
}

/** New blobs by path; null for files to delete. */
type Changes = ReadonlyMap<string, string | null>;

class Committer {
  readonly #input: CommitInput;
  readonly #post: (beat: true) => void;
  readonly #gitdir: string;
  readonly #stored: GitObjects;
  readonly #objects = new Set<string>();

  constructor(input: CommitInput, stored: GitObjects, post: (beat: true) => void) {
    this.#input = input;
    this.#stored = stored;
    this.#post = post;
    this.#gitdir = gitdirIn(input.folder);
  }

  async commit(): Promise<Committed | null> {
    const { directory, parent, changes, message, author, committer, timestamp } = this.#input;
    const root = parent === null ? undefined : (await readCommit(this.#stored, parent)).tree;
    const files: Omit<RemoteFile, 'size'>[] = [];
    const changesByPath = new Map<string, string | null>();
    for (const { path, place } of changes) {
      this.#post(true);
      const oid = place === null ? null : await this.#writeFile(path, place, files);
      changesByPath.set(directory === '' ? path : `${directory}/${path}`, oid);
    }
    const tree = (await this.#writeTree(root, changesByPath, '')) ?? (await this.#storeTree([]));
    if (tree === root) return null;
    const at = { timestamp, timezoneOffset: 0 };
    const oid = await git.writeCommit({
      fs,
      gitdir: this.#gitdir,
      commit: {
        message: message.endsWith('\n') ? message : `${message}\n`,
        tree,
        parent: parent === null ? [] : [parent],
        author: { ...author, ...at },
        committer: { ...committer, ...at },
      },
    });
    return { oid, objects: [...this.#objects, oid], written: files };
  }

  async #writeFile(path: string, place: string, files: Omit<RemoteFile, 'size'>[]): Promise<string> {
    const blob = await readFile(place);
    if (blob.length > MAX_OBJECT_BYTES) {
      throw new RemoteError('TOO_LARGE', `The file "${path}" would have more than 32 MB. Nothing was exported.`);
    }
    const oid = await git.writeBlob({ fs, gitdir: this.#gitdir, blob });
    this.#objects.add(oid);
    files.push({ path, oid, ...(isMarkdown(path) && { sketch: lineSketch(blob.toString('utf8')) }) });
    return oid;
  }

  async #storeTree(entries: readonly TreeEntry[]): Promise<string> {
    const oid = await writeEntries(this.#gitdir, entries);
    this.#objects.add(oid);
    return oid;
  }

  /** The tree with changes by path. Only trees on the way to a change are written. Undefined for an empty tree. */
  async #writeTree(oid: string | undefined, changes: Changes, prefix: string): Promise<string | undefined> {
    const before = oid === undefined ? [] : await readEntries(this.#stored, oid);
    // Names that are not UTF-8 are read as bytes, so that they are never those of a change.
    const entries = new Map(before.map((entry) => [entry.name.toString('latin1'), entry]));
    const below = new Map<string, Map<string, string | null>>();
    for (const [path, blob] of changes) {
      const [name = '', ...rest] = path.split('/');
      if (rest.length > 0) {
        const inside = below.get(name) ?? new Map<string, string | null>();
        below.set(name, inside.set(rest.join('/'), blob));
      } else this.#setFile(entries, name, blob, prefix);
    }
    for (const [name, inside] of below) {
      const entry = entries.get(keyOf(name));
      if (entry && entry.mode !== TREE_MODE) throw notReplaced(`${prefix}${name}`);
      const tree = await this.#writeTree(entry?.oid, inside, `${prefix}${name}/`);
      if (tree === undefined) entries.delete(keyOf(name));
      else entries.set(keyOf(name), { mode: TREE_MODE, name: Buffer.from(name), oid: tree });
    }
    return entries.size === 0 ? undefined : this.#storeTree([...entries.values()]);
  }

  #setFile(entries: Map<string, TreeEntry>, name: string, blob: string | null, prefix: string): void {
    const entry = entries.get(keyOf(name));
    if (entry && !isFile(entry)) throw notReplaced(`${prefix}${name}`);
    if (blob === null) entries.delete(keyOf(name));
    // A file that is replaced stays executable.
    else entries.set(keyOf(name), { mode: entry?.mode ?? '100644', name: Buffer.from(name), oid: blob });
  }
}

const keyOf = (name: string) => Buffer.from(name).toString('latin1');

/** Only files are replaced: a symbolic link, a submodule or a directory in the way may be intended. */
const notReplaced = (path: string) =>
  new RemoteError(
    'REJECTED',
    `The entry "${path}" of the branch is not a file, but for example a symbolic link. Replace it with a file, or remove it.`,
  );
