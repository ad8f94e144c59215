import fs from 'node:fs';
import git from 'isomorphic-git';
import type { GitObjects } from './git-objects.ts';
import { openBatch } from './object-batch.ts';

/**
 * Opens the objects of a repository: with the program `git` if one is given, which reads packs from the disk; otherwise
 * with isomorphic-git, which keeps them in memory. The caller must close it.
 */
export const openObjects = (gitdir: string, program: string | undefined): GitObjects =>
  program === undefined ? objectsIn(gitdir) : openBatch(gitdir, program);

/**
 * The objects of a repository, read with isomorphic-git. `cache` is shared with its other calls, which would read packs
 * again.
 */
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
