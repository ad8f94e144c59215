import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import git from 'isomorphic-git';
import { type GitObjects, MalformedObject } from './git-objects.ts';

/** An entry of a tree. Its name can be any bytes but `/` and NUL. */
export interface TreeEntry {
  /** In octal digits, as it is stored: `40000`, `100644`, `100755`, `120000` or `160000`. */
  mode: string;
  name: Buffer;
  oid: string;
}

export const TREE_MODE = '40000';
export const SYMLINK_MODE = '120000';
export const SUBMODULE_MODE = '160000';

export const isFile = ({ mode }: TreeEntry): boolean => mode.startsWith('100');

/** The name as text. Undefined if it is not UTF-8. */
export const nameIn = ({ name }: TreeEntry): string | undefined => (isUtf8(name) ? name.toString('utf8') : undefined);

/**
 * The entries of a tree. Unlike those of isomorphic-git, they keep every byte, so that an entry that is not understood
 * survives a change of another.
 */
export async function readEntries(objects: GitObjects, oid: string): Promise<TreeEntry[]> {
  const { bytes } = await objects.read(oid);
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [space, end] = [bytes.indexOf(0x20, at), bytes.indexOf(0, at)];
    if (space < 0 || end < space || end + 21 > bytes.length) throw new MalformedObject(oid, 'tree');
    const mode = bytes.toString('latin1', at, space).replace(/^0+/, '');
    entries.push({ mode, name: bytes.subarray(space + 1, end), oid: bytes.toString('hex', end + 1, end + 21) });
    at = end + 21;
  }
  return entries;
}

/** Writes a tree. Returns its object ID. */
export function writeEntries(gitdir: string, entries: readonly TreeEntry[]): Promise<string> {
  const sorted = entries.toSorted((a, b) => Buffer.compare(orderOf(a), orderOf(b)));
  const object = Buffer.concat(
    sorted.flatMap(({ mode, name, oid }) => [Buffer.from(`${mode} `), name, NUL, Buffer.from(oid, 'hex')]),
  );
  return git.writeObject({ fs, gitdir, type: 'tree', object, format: 'content' });
}

const [NUL, SLASH] = [Buffer.of(0), Buffer.from('/')];

/** Git sorts directories as if their names ended with a slash. */
const orderOf = ({ mode, name }: TreeEntry) => (mode === TREE_MODE ? Buffer.concat([name, SLASH]) : name);
