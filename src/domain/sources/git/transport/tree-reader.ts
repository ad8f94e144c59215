import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lineSketch } from '../../../../lib/repository/line-sketch.ts';
import { isMarkdown } from '../../../../lib/repository/repository-path.ts';
import { type GitObjects, MalformedObject } from './git-objects.ts';
import { nameIn, readEntries, SUBMODULE_MODE, SYMLINK_MODE, TREE_MODE, type TreeEntry } from './git-tree.ts';
import type { RemoteFile, SkippedEntry } from './remote.ts';
import { RemoteError } from './remote-fault.ts';

/** Files that are read from a branch. An export leaves no more. */
export const MAX_BRANCH_FILES = 20_000;
/** Bytes of all objects that are read from a branch. Files of a space that would exceed them are not exported. */
export const MAX_TOTAL_BYTES = 512 * 1024 * 1024;
const MAX_DEPTH = 64;
/**
 * Directories, files and entries that are skipped. A few trees that contain each other repeatedly can have billions.
 */
const MAX_ENTRIES = 100_000;

/** Where objects are read, and the folder that files are written to. `post` reports progress. */
interface Reading {
  objects: GitObjects;
  folder: string;
  post: (beat: true) => void;
}

/** Names that could leave the folder, or that git itself does not check out. */
const isUnsafe = (name: string) => name === '' || name === '.' || name === '..' || /[\\\0]|^\.git$/i.test(name);

const POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\//;

/** The kind of an entry that is not read. Undefined for files and directories. */
function kindOf(entry: TreeEntry): SkippedEntry['kind'] | undefined {
  const name = nameIn(entry);
  if (name === undefined) return 'encoding';
  if (isUnsafe(name)) return 'unsafe-path';
  if (entry.mode === SUBMODULE_MODE) return 'submodule';
  return entry.mode === SYMLINK_MODE ? 'symlink' : undefined;
}

/**
 * Writes the files of a tree to a folder, named by their object IDs. Throws `RemoteError` if they are too many or too
 * large.
 */
export class TreeReader {
  readonly files: RemoteFile[] = [];
  readonly skipped: SkippedEntry[] = [];
  readonly #in: Reading;
  readonly #read = new Map<string, Pick<RemoteFile, 'size' | 'sketch'>>();
  #bytes = 0;
  #entries = 0;

  constructor(reading: Reading) {
    this.#in = reading;
  }

  async read(oid: string, prefix: string, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) throw new RemoteError('TOO_LARGE', `Directories are nested more than ${MAX_DEPTH} deep.`);
    this.#in.post(true);
    const entries = await readEntries(this.#in.objects, oid);
    this.#entries += entries.length;
    if (this.#entries > MAX_ENTRIES) {
      throw new RemoteError('TOO_LARGE', `The project directory has more than ${MAX_ENTRIES} files and directories.`);
    }
    for (const entry of entries) {
      const path = `${prefix}${entry.name.toString('utf8')}`;
      const kind = kindOf(entry);
      if (kind) this.skipped.push({ path, kind });
      else if (entry.mode === TREE_MODE) await this.read(entry.oid, `${path}/`, depth + 1);
      else await this.#readFile(path, entry.oid);
    }
  }

  async #readFile(path: string, oid: string): Promise<void> {
    if (this.files.length >= MAX_BRANCH_FILES) {
      throw new RemoteError(
        'TOO_LARGE',
        `The repository has more than ${MAX_BRANCH_FILES} files in the project directory.`,
      );
    }
    this.files.push({ path, oid, ...(this.#read.get(oid) ?? (await this.#write(path, oid))) });
  }

  async #write(path: string, oid: string): Promise<Pick<RemoteFile, 'size' | 'sketch'>> {
    const { type, bytes: blob } = await this.#in.objects.read(oid);
    if (type !== 'blob') throw new MalformedObject(oid, 'blob');
    this.#bytes += blob.length;
    if (this.#bytes > MAX_TOTAL_BYTES) {
      throw new RemoteError('TOO_LARGE', `The files have more than ${MAX_TOTAL_BYTES} bytes in all.`);
    }
    if (blob.length < 1_024 && POINTER.test(blob.toString('latin1'))) {
      this.skipped.push({ path, kind: 'pointer' });
    }
    // Runs in a worker, so blocking is safe.
    writeFileSync(join(this.#in.folder, oid), blob);
    const sketch = isMarkdown(path) ? { sketch: lineSketch(blob.toString('utf8')) } : {};
    const read = { size: blob.length, ...sketch };
    this.#read.set(oid, read);
    return read;
  }
}
