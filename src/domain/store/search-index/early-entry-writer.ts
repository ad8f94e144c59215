import { type PageParts, type PageTerms, pageTerms } from '../../../lib/search/page-terms.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { entryHash, type Indexed } from './entry-hash.ts';
import { type IndexedSpace, storeEntries } from './store-entries.ts';
import { storeWords } from './store-words.ts';

/** A page that a space is going to have. */
export type EarlyPage = Indexed & Pick<PageParts, 'sections'>;

/**
 * Stores search entries before their pages exist, so that `indexPages` only has to point the pages to them. Entries
 * that no page gets are deleted like other unused ones.
 */
export class EarlyEntryWriter {
  readonly #target: IndexedSpace;
  readonly #words = new Set<string>();

  constructor(target: IndexedSpace) {
    this.#target = target;
  }

  async termsOf(pages: readonly EarlyPage[]): Promise<Map<string, PageTerms>> {
    const pause = makeYielder();
    const terms = new Map<string, PageTerms>();
    for (const { description, ...page } of pages) {
      const hash = entryHash(this.#target.spaceId, { ...page, description });
      terms.set(hash, pageTerms({ ...page, description: description ?? '' }));
      await pause();
    }
    return terms;
  }

  async store(db: Database, terms: ReadonlyMap<string, PageTerms>): Promise<void> {
    const words = [...terms.values()].flatMap((page) => [...page.words]);
    await storeWords(db, this.#target.organizationId, words, this.#words);
    await storeEntries(db, this.#target, terms);
  }
}
