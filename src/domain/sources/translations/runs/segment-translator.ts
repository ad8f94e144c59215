import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { makeYielder } from '../../../../lib/tick.ts';
import { checkTranslation } from '../../../../lib/translation/check-translation.ts';
import { printTokens, readTokens, uncodedText } from '../../../../lib/translation/coded-text.ts';
import type { Languages } from '../../../../lib/translation/cut-document.ts';
import {
  type Glossary,
  type Protected,
  protectTerms,
  restoreTerms,
  termsIn,
} from '../../../../lib/translation/glossary.ts';
import { importedKey, memoryKey } from '../../../../lib/translation/memory-key.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { type Provider, ProviderError } from '../providers/provider.ts';
import { countTranslationUsage, rejectOverTranslationLimit } from '../providers/usage.ts';

export interface TranslatorOptions extends Languages {
  organizationId: string;
  /** The translation, if segments were imported to its memory. */
  importedTo: string | null;
  provider: Provider;
  instructions: string;
  glossary: Glossary;
  signal: AbortSignal;
}

/** A segment that is not in the memory. */
interface MissingSegment {
  text: string;
  key: string;
  /** The segment as it is sent. */
  sent: string;
  translations: Protected['translations'];
}

const RETRIES = 3;
const RETRY_MS = 500;
/** Translations that a run keeps besides the memory. */
const MAX_KEPT = 100_000;

/** Translates the segments of one run, by the memory of the organization or else by the provider. */
export class SegmentTranslator {
  readonly #ctx: Context;
  readonly #options: TranslatorOptions;
  /** Translations of this run. Undefined if the provider returned no usable one. */
  readonly #translations = new Map<string, string | undefined>();
  readonly sent = { segments: 0, characters: 0 };

  constructor(ctx: Context, options: TranslatorOptions) {
    this.#ctx = ctx;
    this.#options = options;
  }

  /**
   * Translates segments, each only once. Translations are in the memory before this returns, so that an interrupted run
   * sends nothing twice. Throws a `ProviderError` if the provider does not answer.
   */
  async translate(texts: Iterable<string>): Promise<ReadonlyMap<string, string | undefined>> {
    if (this.#translations.size > MAX_KEPT) this.#translations.clear();
    const missing = await this.#ask([...new Set(texts)].filter((text) => !this.#translations.has(text)));
    for (const batch of batchesOf(missing, this.#options.provider)) await this.#send(batch);
    return this.#translations;
  }

  /** Uses imported entries first, then those of the memory. Returns the other segments. */
  async #ask(texts: readonly string[]): Promise<MissingSegment[]> {
    const { importedTo } = this.#options;
    if (importedTo === null) return this.#askShared(texts);
    const byKey = new Map(texts.map((text) => [importedKey(importedTo, text), text]));
    const imported = await this.#remembered([...byKey.keys()]);
    for (const [key, translation] of imported) this.#translations.set(byKey.get(key) ?? '', translation);
    return this.#askShared(texts.filter((text) => !this.#translations.has(text)));
  }

  async #askShared(texts: readonly string[]): Promise<MissingSegment[]> {
    const { provider, instructions, from, to, glossary } = this.#options;
    const pause = makeYielder();
    const missing: MissingSegment[] = [];
    for (const text of texts) {
      const terms = termsIn(text, glossary);
      const key = memoryKey({ provider: provider.name, instructions, segment: text, terms, from, to });
      const { tokens, translations } = protectTerms(text, glossary);
      missing.push({ text, key, sent: printTokens(tokens), translations });
      await pause();
    }
    const remembered = await this.#remembered(missing.map(({ key }) => key));
    return missing.filter((segment) => {
      const translation = remembered.get(segment.key) ?? withoutWords(segment);
      if (translation !== undefined) this.#translations.set(segment.text, translation);
      return translation === undefined;
    });
  }

  /** Entries of the memory, by key in hexadecimal. */
  async #remembered(keys: readonly string[]): Promise<Map<string, string>> {
    if (keys.length === 0) return new Map();
    const { rows } = await sql<{ key: string; translation: string }>`
      select encode(m.key, 'hex') as key, m.translation from translation_memory m
      where m.organization_id = ${this.#options.organizationId}
        and m.key = any(select decode(k, 'hex') from unnest(${keys}::text[]) k)`.execute(this.#ctx.db);
    return new Map(rows.map(({ key, translation }) => [key, translation]));
  }

  /** Sends a batch, and retries segments without a usable translation once. */
  async #send(batch: readonly MissingSegment[]): Promise<void> {
    const failed = await this.#sendOnce(batch);
    const lost = failed.length === 0 ? [] : await this.#sendOnce(failed);
    for (const { text } of lost) this.#translations.set(text, undefined);
  }

  async #sendOnce(batch: readonly MissingSegment[]): Promise<MissingSegment[]> {
    const translations = await this.#request(batch);
    this.sent.segments += batch.length;
    this.sent.characters += sizeOf(batch);
    const good: { key: string; translation: string }[] = [];
    const failed = batch.filter((segment, index) => {
      const checked = checkTranslation(segment.sent, translations[index]);
      if (checked === undefined) return true;
      const translation = printTokens(restoreTerms(readTokens(checked), segment.translations));
      this.#translations.set(segment.text, translation);
      good.push({ key: segment.key, translation });
      return false;
    });
    await this.#remember(good);
    return failed;
  }

  /** Asks the provider, and again after a while if it is overloaded or its response cannot be used. */
  async #request(batch: readonly MissingSegment[]): Promise<readonly unknown[]> {
    const { organizationId, provider, instructions, from, to, signal } = this.#options;
    const segments = batch.map(({ sent }) => sent);
    const characters = sizeOf(batch);
    const count = async () => {
      const usage = { requests: 1, segments: segments.length, characters };
      if (provider.isRemote) await countTranslationUsage(this.#ctx, organizationId, usage);
    };
    for (let tries = 0; ; tries++) {
      signal.throwIfAborted();
      if (provider.isRemote) await rejectOverTranslationLimit(this.#ctx, organizationId, provider, characters);
      try {
        const translations = await provider.translate(segments, { from, to, instructions, signal });
        await count();
        return translations;
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        if (error.isAnswered) await count();
        if (tries >= RETRIES || !error.isTransient) throw error;
        await sleep(RETRY_MS * 2 ** tries, undefined, { signal });
      }
    }
  }

  async #remember(good: readonly { key: string; translation: string }[]): Promise<void> {
    if (good.length === 0) return;
    const sorted = good.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    await sql`
      insert into translation_memory (organization_id, key, translation)
      select ${this.#options.organizationId}, decode(m.key, 'hex'), m.translation
      from json_to_recordset(${JSON.stringify(sorted)}::json) as m(key text, translation text)
      on conflict do nothing`.execute(this.#ctx.db);
  }
}

/** The translation of a segment that consists only of terms of the glossary. */
function withoutWords({ sent, translations }: MissingSegment): string | undefined {
  if (translations.size === 0 || /\p{L}/u.test(uncodedText(sent))) return undefined;
  return printTokens(restoreTerms(readTokens(sent), translations));
}

const sizeOf = (batch: readonly MissingSegment[]): number => batch.reduce((sum, { sent }) => sum + sent.length, 0);

/** Batches within the limits of a request. A longer segment is a batch of its own. */
function batchesOf(segments: readonly MissingSegment[], { maxSegments, maxCharacters }: Provider): MissingSegment[][] {
  const batches: MissingSegment[][] = [];
  let [batch, characters]: [MissingSegment[], number] = [[], 0];
  for (const segment of segments) {
    const isFull = batch.length === maxSegments || characters + segment.sent.length > maxCharacters;
    if (isFull && batch.length > 0) {
      batches.push(batch);
      [batch, characters] = [[], 0];
    }
    batch.push(segment);
    characters += segment.sent.length;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
