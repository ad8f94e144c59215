import { getEntries, type ManifestEntry, type ManifestSource } from './manifest.ts';
import { editManifest, type ManifestCommit, type ManifestEdit } from './manifest-edit.ts';

/** A set of entries that is being edited. Changes are visible immediately and not stored. */
export class ManifestDraft<Entry extends ManifestEntry> {
  readonly #rootHash: string | null;
  readonly #source: ManifestSource<Entry>;
  /** Null for removed entries. */
  readonly #changes = new Map<string, Entry | null>();

  /** Null is the empty manifest. */
  constructor(rootHash: string | null, source: ManifestSource<Entry>) {
    this.#rootHash = rootHash;
    this.#source = source;
  }

  /** The current entry. Loads the path to it. */
  async get(id: string): Promise<Entry | undefined> {
    const changed = this.#changes.get(id);
    if (changed !== undefined) return changed ?? undefined;
    return (await getEntries(this.#rootHash, this.#source, [id])).get(id);
  }

  put(entry: Entry): void {
    this.#changes.set(entry.id, entry);
  }

  remove(id: string): void {
    this.#changes.set(id, null);
  }

  /** All changed and removed entries, each id once. */
  get edit(): Required<ManifestEdit<Entry>> {
    const changes = [...this.#changes];
    return {
      put: changes.flatMap(([, entry]) => entry ?? []),
      remove: changes.flatMap(([id, entry]) => (entry === null ? [id] : [])),
    };
  }

  /** The manifest with the edit. Loads nothing if there was no edit. */
  async commit(): Promise<ManifestCommit<Entry>> {
    if (this.#changes.size === 0) return { rootHash: this.#rootHash, newNodes: [] };
    return editManifest(this.#rootHash, this.#source, this.edit);
  }
}
