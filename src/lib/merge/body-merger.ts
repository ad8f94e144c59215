import { hashSlowly } from '../document/canonical.ts';
import type { JSONDocument } from '../document/document.ts';
import { makePause, type Pause } from '../pause.ts';
import { fetchNodes, type HashSource } from '../tree/source.ts';
import type { ConflictResolver, Target } from './conflict.ts';
import { mergeDocuments } from './merge-documents.ts';
import { mapThree, pickSide, type Three } from './three.ts';

export type DocumentSource = HashSource<JSONDocument>;

export interface NewDocument {
  hash: string;
  body: JSONDocument;
}

/** Maximum number of bodies in memory at once, with three versions each. */
const BATCH = 20;

/** Merges bodies by their hashes. Loads only those that both sides changed, in batches. */
export class BodyMerger {
  /** New bodies to store, by hash. */
  readonly documents = new Map<string, NewDocument>();
  readonly #source: DocumentSource;
  readonly #resolver: ConflictResolver;
  readonly #waiting: {
    target: Target;
    versions: Three<string | undefined>;
    done: (hash: string | undefined) => void;
  }[] = [];

  constructor(source: DocumentSource, resolver: ConflictResolver) {
    this.#source = source;
    this.#resolver = resolver;
  }

  /** Calls `done` with the hash of the merged body, or undefined if it is empty: immediately, or during `run`. */
  add(target: Target, versions: Three<string | undefined>, done: (hash: string | undefined) => void): void {
    const side = pickSide(versions, (a, b) => a === b);
    if (side) done(versions[side]);
    else this.#waiting.push({ target, versions, done });
  }

  async run(): Promise<void> {
    const pause = makePause();
    const resolve = this.#resolver.resolve.bind(this.#resolver);
    for (let batch = this.#waiting.splice(0, BATCH); batch.length > 0; batch = this.#waiting.splice(0, BATCH)) {
      const hashes = batch.flatMap(({ versions: { base, ours, theirs } }) =>
        [base ?? [], ours ?? [], theirs ?? []].flat(),
      );
      const bodies = await fetchNodes(this.#source, hashes);
      for (const { target, versions, done } of batch) {
        const three = mapThree(versions, (hash) => bodies.get(hash ?? '') ?? null);
        const body = await mergeDocuments(three, { target, resolve, pause });
        done(body ? await this.#keep(body, versions, pause) : undefined);
        await pause();
      }
    }
  }

  async #keep(body: JSONDocument, known: Three<string | undefined>, pause: Pause): Promise<string> {
    const hash = await hashSlowly(body, pause);
    if (![known.base, known.ours, known.theirs].includes(hash)) this.documents.set(hash, { hash, body });
    return hash;
  }
}
