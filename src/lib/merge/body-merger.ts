import { hashSlowly } from '../document/canonical.ts';
import type { JSONDocument } from '../document/document.ts';
import { makePause, type Pause } from '../pause.ts';
import { fetchNodes, type HashSource } from '../tree/source.ts';
import type { ConflictResolver, Target } from './conflict.ts';
import { type ComparedDocuments, compareDocuments, mergeDocuments } from './merge-documents.ts';
import type { ContestedBody, MergedTexts } from './texts/merge-texts.ts';
import type { WrittenText } from './texts/written-version.ts';
import { mapThree, pickSide, type Three } from './three.ts';

export type DocumentSource = HashSource<JSONDocument>;

/** A stored text that a body was written as. */
export interface StoredText {
  body: string;
  links: WrittenText['links'];
  /** Hash of the document that the text was read as. */
  document: string;
}

/** Loads texts, and merges blocks by them (`mergeTexts`, in a thread or not). */
export interface BodyTexts {
  load: HashSource<StoredText>;
  merge(contested: ContestedBody): Promise<MergedTexts>;
}

/** A body and the text that it was written as, by their hashes. */
export interface BodyHashes {
  document: string | undefined;
  source: string | undefined;
}

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
  readonly #texts: BodyTexts;
  readonly #resolver: ConflictResolver;
  readonly #waiting: {
    target: Target;
    versions: Three<BodyHashes>;
    done: (hash: string | undefined) => void;
  }[] = [];

  constructor(source: DocumentSource, texts: BodyTexts, resolver: ConflictResolver) {
    this.#source = source;
    this.#texts = texts;
    this.#resolver = resolver;
  }

  /** Calls `done` with the hash of the merged body, or undefined if it is empty: immediately, or during `run`. */
  add(target: Target, versions: Three<BodyHashes>, done: (hash: string | undefined) => void): void {
    const side = pickSide(versions, (a, b) => a.document === b.document);
    if (side) done(versions[side].document);
    else this.#waiting.push({ target, versions, done });
  }

  async run(): Promise<void> {
    const pause = makePause();
    const resolve = this.#resolver.resolve.bind(this.#resolver);
    for (let batch = this.#waiting.splice(0, BATCH); batch.length > 0; batch = this.#waiting.splice(0, BATCH)) {
      const hashes = batch.flatMap(({ versions }) => hashesIn(versions, 'document'));
      const bodies = await fetchNodes(this.#source, hashes);
      const compared: ComparedDocuments[] = [];
      for (const { versions } of batch) {
        const three = mapThree(versions, ({ document }) => bodies.get(document ?? '') ?? null);
        compared.push(await compareDocuments(three, pause));
      }
      const contested = batch.filter((_, i) => compared[i]?.contested.length !== 0);
      const sources = await fetchNodes(
        this.#texts.load,
        contested.flatMap(({ versions }) => hashesIn(versions, 'source')),
      );
      for (const [i, { target, versions, done }] of batch.entries()) {
        const documents = compared[i] as ComparedDocuments; // one for each of the batch
        const texts = await this.#mergeTexts(
          documents,
          mapThree(versions, (hashed) => writtenAs(hashed, sources)),
        );
        const body = await mergeDocuments(documents, texts, { target, resolve, pause });
        done(body ? await this.#keep(body, versions, pause) : undefined);
        await pause();
      }
    }
  }

  /** Merges contested blocks by their texts. A side that emptied the body deleted them, so nothing is to be merged. */
  async #mergeTexts(
    { versions: { base, ours, theirs }, contested }: ComparedDocuments,
    written: Three<WrittenText | undefined>,
  ): Promise<MergedTexts> {
    if (contested.length === 0 || !base || !ours || !theirs) return { blocks: [] };
    return await this.#texts.merge({ bodies: { base, ours, theirs }, written, keys: contested });
  }

  async #keep(body: JSONDocument, known: Three<BodyHashes>, pause: Pause): Promise<string> {
    const hash = await hashSlowly(body, pause);
    if (!hashesIn(known, 'document').includes(hash)) this.documents.set(hash, { hash, body });
    return hash;
  }
}

const hashesIn = ({ base, ours, theirs }: Three<BodyHashes>, name: keyof BodyHashes): string[] =>
  [base, ours, theirs].flatMap((hashes) => hashes[name] ?? []);

function writtenAs(
  { document, source }: BodyHashes,
  sources: ReadonlyMap<string, StoredText>,
): WrittenText | undefined {
  const text = sources.get(source ?? '');
  return text && { body: text.body, links: text.links, isExact: text.document === document };
}
