import { join } from 'node:path';

/** An object without its header. */
export interface GitObject {
  type: string;
  bytes: Buffer;
}

/** The objects of a repository on this machine. */
export interface GitObjects {
  /** Throws if the object is missing, damaged or too large. */
  read(oid: string): Promise<GitObject>;
  close(): void;
}

/** The repository in the folder of a fetch. */
export const gitdirIn = (folder: string): string => join(folder, 'repository.git');

/** What is read of a commit. */
export interface GitCommit {
  tree: string;
  parents: string[];
  message: string;
  committerEmail: string;
}

/** Reads a commit, or the one that a tag is of. Throws `MalformedObject` if the object is not one. */
export async function readCommit(objects: GitObjects, oid: string): Promise<GitCommit> {
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

/** An object is not of the expected type, or cannot be parsed as such. */
export class MalformedObject extends Error {
  override name = 'MalformedObject';

  constructor(oid: string, type: 'blob' | 'commit' | 'tree') {
    super(`The object ${oid} is not a ${type}.`);
  }
}
