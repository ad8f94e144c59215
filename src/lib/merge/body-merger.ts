import { hashOf } from '../canonical.ts';
import type { JSONDocument } from '../document/document.ts';
import { hashSlowly } from '../document/document-hash.ts';
import { makeYielder, type Yielder } from '../tick.ts';
import { fetchNodes, type HashSource } from '../tree/source.ts';
import type { ConflictResolver, ConflictTarget } from './conflict.ts';
import type { BlockMatching } from './document-parts.ts';
import { type ComparedDocuments, compareDocuments, mergeDocuments } from './merge-documents.ts';
import type { ContestedBody, MergedTexts } from './texts/merge-texts.ts';
import type { WrittenText } from './texts/written-version.ts';
import { mapThreeWay, pickSide, type ThreeWay } from './three-way.ts';

export type DocumentSource = HashSource<JSONDocument>;

/** A stored text that a body was written as. */
export interface StoredText {
  /** Text before the body in its file. */
  head: string;
  body: string;
  links: WrittenText['links'];
  /** Hash of the document that the text was read as. */
  document: string;
}

export interface NewText extends StoredText {
  hash: string;
}

/** Loads texts, and merges blocks by them (`mergeTexts`, in a worker or not). */
export interface TextMerger {
  load: HashSource<StoredText>;
  merge(contested: ContestedBody): Promise<MergedTexts>;
}

/** A body and the text that it was written as, by their hashes. */
export interface HashedBody {
  document: string | undefined;
  source: string | undefined;
}

export interface NewDocument {
  hash: string;
  body: JSONDocument;
}

/** Maximum number of bodies in memory at once, with three versions each. */
const BODIES_PER_BATCH = 20;

/** Merges bodies by their hashes. Loads only those that both sides changed, in batches. */
export class BodyMerger {
  /** New bodies to store, by hash. */
  readonly documents = new Map<string, NewDocument>();
  /** New texts to store, by hash. */
  readonly sources = new Map<string, NewText>();
  readonly #source: DocumentSource;
  readonly #texts: TextMerger;
  readonly #resolver: ConflictResolver;
  readonly #matching: BlockMatching | undefined;
  readonly #waiting: {
    target: ConflictTarget;
    versions: ThreeWay<HashedBody>;
    done: (merged: HashedBody) => void;
  }[] = [];

  constructor(source: DocumentSource, texts: TextMerger, resolver: ConflictResolver, matching?: BlockMatching) {
    this.#source = source;
    this.#texts = texts;
    this.#resolver = resolver;
    this.#matching = matching;
  }

  /** Calls `done` with the hashes of the merged body, immediately or during `run`. */
  add(target: ConflictTarget, versions: ThreeWay<HashedBody>, done: (merged: HashedBody) => void): void {
    const [document, source] = [sideOf(versions, 'document'), sideOf(versions, 'source')];
    if (document && source) done({ document: versions[document].document, source: versions[source].source });
    else this.#waiting.push({ target, versions, done });
  }

  async run(): Promise<void> {
    const pause = makeYielder();
    const resolve = this.#resolver.resolve.bind(this.#resolver);
    for (
      let batch = this.#waiting.splice(0, BODIES_PER_BATCH);
      batch.length > 0;
      batch = this.#waiting.splice(0, BODIES_PER_BATCH)
    ) {
      const hashes = batch.flatMap(({ versions }) => hashesIn(versions, 'document'));
      const bodies = await fetchNodes(this.#source, hashes);
      const compared: ComparedDocuments[] = [];
      for (const { versions } of batch) {
        const three = mapThreeWay(versions, ({ document }) => bodies.get(document ?? '') ?? null);
        compared.push(await compareDocuments(three, pause, this.#matching));
      }
      const toRead = batch.filter(
        ({ versions }, i) => !sideOf(versions, 'source') || compared[i]?.contested.length !== 0,
      );
      const sources = await fetchNodes(
        this.#texts.load,
        toRead.flatMap(({ versions }) => hashesIn(versions, 'source')),
      );
      for (const [i, { target, versions, done }] of batch.entries()) {
        const documents = compared[i] as ComparedDocuments; // one for each of the batch
        const texts = await this.#mergeTexts(documents, versions, sources);
        const body = await mergeDocuments(documents, texts, { target, resolve, pause });
        const document = body ? await this.#keep(body, versions, pause) : undefined;
        done({ document, source: this.#keepText(versions, sources, texts.text) });
        await pause();
      }
    }
  }

  /**
   * Merges contested blocks by their texts, and the texts if both sides changed them. A side that emptied the body
   * deleted its blocks, so nothing is to be merged.
   */
  async #mergeTexts(
    { versions: { base, ours, theirs }, contested: keys }: ComparedDocuments,
    versions: ThreeWay<HashedBody>,
    sources: ReadonlyMap<string, StoredText>,
  ): Promise<MergedTexts> {
    const isRead = keys.length > 0 || !sideOf(versions, 'source');
    if (!isRead || !base || !ours || !theirs) return { blocks: [] };
    const writtenTexts = mapThreeWay(versions, (hashes) => writtenAs(hashes, sources));
    return await this.#texts.merge({ bodies: { base, ours, theirs }, written: writtenTexts, keys });
  }

  /**
   * The hash of the text that the merged body is a patch of: the one that a side changed. If both did, it is the merged
   * text, or that of the change request if the texts cannot be merged; the blocks of the other side are printed into
   * it.
   */
  #keepText(
    versions: ThreeWay<HashedBody>,
    sources: ReadonlyMap<string, StoredText>,
    merged: string | undefined,
  ): string | undefined {
    const side = sideOf(versions, 'source');
    const [base, ours, theirs] = [versions.base, versions.ours, versions.theirs].map(({ source }) =>
      sources.get(source ?? ''),
    );
    if (side || merged === undefined || !ours || !theirs) return versions[side ?? 'ours'].source;
    const heads = { base: base?.head ?? '', ours: ours.head, theirs: theirs.head };
    const head = heads[pickSide(heads, (a, b) => a === b) ?? 'ours'];
    const text = { head, body: merged, document: '', links: { ...ours.links, ...theirs.links } };
    const hash = hashOf(text);
    this.sources.set(hash, { ...text, hash });
    return hash;
  }

  async #keep(body: JSONDocument, versions: ThreeWay<HashedBody>, pause: Yielder): Promise<string> {
    const hash = await hashSlowly(body, pause);
    if (!hashesIn(versions, 'document').includes(hash)) this.documents.set(hash, { hash, body });
    return hash;
  }
}

const sideOf = (versions: ThreeWay<HashedBody>, name: keyof HashedBody) =>
  pickSide(versions, (a, b) => a[name] === b[name]);

const hashesIn = ({ base, ours, theirs }: ThreeWay<HashedBody>, name: keyof HashedBody): string[] =>
  [base, ours, theirs].flatMap((hashes) => hashes[name] ?? []);

function writtenAs(
  { document, source }: HashedBody,
  sources: ReadonlyMap<string, StoredText>,
): WrittenText | undefined {
  const text = sources.get(source ?? '');
  return text && { body: text.body, links: text.links, isExact: text.document === document };
}
