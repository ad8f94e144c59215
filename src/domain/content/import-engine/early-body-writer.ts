import { markHandled } from '../../../lib/mark-handled.ts';
import type { PageParts } from '../../../lib/search/page-terms.ts';
import type { Context } from '../../../platform/context/context.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { EarlyEntryWriter } from '../../store/search-index/index.ts';
import type { ImportedBody } from './read-body.ts';
import { batchesOf, storeRows } from './store-bodies.ts';

/** Pages that wait for each other, so that a statement stores many. */
const MIN_BATCH_PAGES = 20;

interface EarlyPage {
  title: string;
  description: string | null;
  body: ImportedBody;
}

/**
 * Stores bodies and search entries of pages while others are still read, because reading and the database use different
 * processors. It only works ahead: bodies that it has not stored are stored with the pages, and bodies that no page
 * uses are removed like other unused content.
 */
export class EarlyBodyWriter {
  readonly #ctx: Context;
  readonly #organizationId: string;
  readonly #entries: EarlyEntryWriter | undefined;
  #waiting: EarlyPage[] = [];
  #storing: Promise<void> | undefined;
  #isOver = false;

  /** Entries are stored for pages of the head of a space only. */
  constructor(ctx: Context, { organizationId, spaceId }: { organizationId: string; spaceId: string | undefined }) {
    this.#ctx = ctx;
    this.#organizationId = organizationId;
    this.#entries = spaceId === undefined ? undefined : new EarlyEntryWriter({ organizationId, spaceId });
  }

  add(page: EarlyPage): void {
    if (this.#isOver) return;
    this.#waiting.push(page);
    if (this.#waiting.length >= MIN_BATCH_PAGES) this.#storing ??= markHandled(this.#store());
  }

  /** Ends storing: what waits is left for later. Waits for the batch that is being stored. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#waiting = [];
    await this.#storing;
  }

  async #store(): Promise<void> {
    try {
      while (this.#waiting.length >= MIN_BATCH_PAGES) {
        const [bodies = []] = batchesOf(this.#waiting.map(({ body }) => body));
        await this.#storeBatch(this.#waiting.splice(0, bodies.length));
      }
    } catch {
      // If the error persists, storing the pages meets it again.
      this.#isOver = true;
    } finally {
      this.#storing = undefined;
    }
  }

  /** The terms of pages are computed while the database stores their bodies. */
  async #storeBatch(batch: readonly EarlyPage[]): Promise<void> {
    const rows = await Promise.all(batch.map(({ body }) => body.rows()));
    const computing = this.#entries?.termsOf(
      batch.map(({ title, description, body }, index) => {
        const sections: PageParts['sections'] = JSON.parse(`[${rows[index]?.document.sections}]`); // rows of sections
        return { title, description, documentHash: body.hash, sections };
      }),
    );
    computing?.catch(() => {});
    // A body is only stored together with everything that is derived from it.
    await transact(this.#ctx, (inside) => storeRows(inside, this.#organizationId, rows));
    const terms = await computing;
    if (terms) {
      await transact(this.#ctx, async ({ db }) => this.#entries?.store(db, terms));
    }
  }
}
