import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RemoteFile } from '../transport/remote.ts';

/** A file that has to change. `fileId` names a file of the space, whose bytes the receiver has. */
export interface ComposedChange {
  path: string;
  place: string | null;
  fileId?: string;
}

/** The files of a fetched branch, and the required changes. Blocking: for workers. */
export class BranchFiles {
  readonly #folder: string;
  readonly #oids: ReadonlyMap<string, string>;
  /** New texts by path; null for files to delete. */
  readonly #texts = new Map<string, string | null>();
  /** Files of the space by path. */
  readonly #assets = new Map<string, string>();
  /** Object IDs of files that have another path only. */
  readonly #moved = new Map<string, string>();

  /** `folder` has the files, named by their object IDs. */
  constructor(folder: string, files: readonly RemoteFile[]) {
    this.#folder = folder;
    this.#oids = new Map(files.map(({ path, oid }) => [path, oid]));
  }

  has(path: string): boolean {
    return this.#oids.has(path);
  }

  /** The text of a file in the branch. Undefined if it has none. */
  textAt(path: string): string | undefined {
    return this.bytesAt(path)?.toString('utf8');
  }

  bytesAt(path: string): Buffer | undefined {
    const oid = this.#oids.get(path);
    return oid === undefined ? undefined : readFileSync(join(this.#folder, oid));
  }

  /**
   * The text of a file after the changes; empty if there is none, and for new files of the space, whose bytes are
   * elsewhere.
   */
  async read(path: string): Promise<string> {
    const text = this.#texts.get(path);
    if (text !== undefined) return text ?? '';
    const oid = this.#oids.get(path);
    return oid === undefined ? '' : (await readFile(join(this.#folder, oid))).toString('utf8');
  }

  write(path: string, text: string): void {
    this.#texts.set(path, text);
  }

  /**
   * Writes the text of a file that had `before` as its path. Without a change, it keeps its bytes, even those that are
   * not UTF-8.
   */
  rewrite(path: string, text: string, before: { path: string | undefined; text: string | undefined }): void {
    if (text === before.text && path === before.path) return;
    this.#texts.set(path, text);
    const oid = text === before.text && before.path !== undefined ? this.#oids.get(before.path) : undefined;
    if (oid !== undefined) this.#moved.set(path, oid);
  }

  /** Puts a file of the space at a path. */
  place(path: string, fileId: string): void {
    this.#assets.set(path, fileId);
  }

  /** Deletes a file, unless something else has been put at its path. */
  remove(path: string): void {
    if (!this.#texts.has(path) && !this.#assets.has(path)) this.#texts.set(path, null);
  }

  /** The paths of the branch after the changes. */
  paths(): Set<string> {
    const paths = new Set([...this.#oids.keys(), ...this.#assets.keys(), ...this.#texts.keys()]);
    for (const [path, text] of this.#texts) if (text === null) paths.delete(path);
    return paths;
  }

  /** Writes new texts to the folder. */
  changes(): ComposedChange[] {
    const changes: ComposedChange[] = [];
    for (const [path, text] of this.#texts) {
      const moved = this.#moved.get(path);
      if (text === null) changes.push({ path, place: null });
      else if (moved !== undefined) changes.push({ path, place: join(this.#folder, moved) });
      else if (text !== this.textAt(path)) {
        const place = join(this.#folder, `new-${changes.length}`);
        writeFileSync(place, text);
        changes.push({ path, place });
      }
    }
    for (const [path, fileId] of this.#assets) changes.push({ path, place: null, fileId });
    return changes;
  }
}
