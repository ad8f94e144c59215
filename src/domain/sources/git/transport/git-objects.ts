import fs from 'node:fs';
import git from 'isomorphic-git';
import { openBatch } from './object-batch.ts';
import type { GitObjects } from './object-reader.ts';

/** What is read of a commit. */
export interface Commit {
  tree: string;
  parents: string[];
  message: string;
  committerEmail: string;
}

/**
 * Opens the objects of a repository: with the program `git` if one is given, which reads packs from the disk; otherwise with
 * isomorphic-git, which keeps them in memory. The caller must close it.
 */
export const openObjects = (gitdir: string, program: string | undefined): GitObjects =>
  program === undefined ? objectsIn(gitdir) : openBatch(gitdir, program);

/** The objects of a repository, read with isomorphic-git. `cache` is shared with its other calls, which would read packs again. */
export function objectsIn(gitdir: string, cache: object = {}, files: object = fs): GitObjects {
  return {
    async read(oid) {
      const { object, type } = await git.readObject({ fs: files as typeof fs, gitdir, oid, cache, format: 'content' });
      return { type: type ?? '', bytes: Buffer.from(object as Uint8Array) }; // the format is `content`
    },
    close() {},
  };
}

/** The objects of a repository that has nothing but the packs of a fetch, so that no object is looked for elsewhere. */
export function packedObjectsIn(gitdir: string, cache: object): GitObjects {
  let packs: Promise<string[]> | undefined;
  const promises = {
    ...fs.promises,
    readFile: async (path: string, ...options: []) => {
      if (LOOSE.test(path)) throw ABSENT;
      return fs.promises.readFile(path, ...options);
    },
    readdir: (path: string) => {
      packs ??= fs.promises.readdir(path);
      return packs;
    },
  };
  return objectsIn(gitdir, cache, { promises });
}

const LOOSE = /\/objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/;
const ABSENT = Object.assign(new Error('There are no loose objects.'), { code: 'ENOENT' });

/** Reads a commit, or the one that a tag is of. Throws `MalformedObject` if the object is not one. */
export async function readCommit(objects: GitObjects, oid: string): Promise<Commit> {
  const { type, bytes } = await objects.read(oid);
  const tagged = type === 'tag' ? /^object ([0-9a-f]{40})\n/.exec(bytes.toString('latin1', 0, 48))?.[1] : undefined;
  if (tagged !== undefined) return readCommit(objects, tagged);
  const text = bytes.toString('utf8');
  const end = text.indexOf('\n\n');
  const headers = (end < 0 ? text : text.slice(0, end)).split('\n');
  const valuesOf = (name: string) =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const [tree = ''] = valuesOf('tree');
  if (type !== 'commit' || !OID.test(tree)) throw new MalformedObject(oid, 'commit');
  const [committer = ''] = valuesOf('committer');
  const email = committer.slice(committer.lastIndexOf('<') + 1, committer.lastIndexOf('>'));
  return {
    tree,
    parents: valuesOf('parent').filter((parent) => OID.test(parent)),
    message:
      end < 0
        ? ''
        : `${text
            .slice(end + 2)
            .replaceAll('\r', '')
            .trim()}\n`,
    committerEmail: email,
  };
}

const OID = /^[0-9a-f]{40}$/;

/** An object is not what it is used as. */
export class MalformedObject extends Error {
  override name = 'MalformedObject';

  constructor(oid: string, type: 'blob' | 'commit' | 'tree') {
    super(`The object ${oid} is not a ${type}.`);
  }
}
