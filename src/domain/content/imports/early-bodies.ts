import type { Context } from '../../../platform/context.ts';
import { transact } from '../../../platform/transact.ts';
import type { ReadBody } from './read-body.ts';
import { batchesOf, storeBatch } from './store-bodies.ts';

/** Bodies that wait for each other, so that a statement stores many. */
const LEAST = 20;

/**
 * Stores bodies while others are still read, since reading and the database have a processor each. It is only an advance:
 * what was not stored is stored with the pages, and bodies that no page gets are removed like other unused content.
 */
export class EarlyBodies {
  readonly #ctx: Context;
  readonly #organizationId: string;
  #waiting: ReadBody[] = [];
  #storing: Promise<void> | undefined;
  #isOver = false;

  constructor(ctx: Context, organizationId: string) {
    this.#ctx = ctx;
    this.#organizationId = organizationId;
  }

  add(body: ReadBody): void {
    if (this.#isOver) return;
    this.#waiting.push(body);
    if (this.#waiting.length >= LEAST) this.#storing ??= this.#store();
  }

  /** Ends storing: what waits is left for later. Waits for the batch that is being stored. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#waiting = [];
    await this.#storing;
  }

  async #store(): Promise<void> {
    try {
      while (this.#waiting.length >= LEAST) {
        const [batch = []] = batchesOf(this.#waiting);
        this.#waiting.splice(0, batch.length);
        // A body is only stored together with everything that is derived from it.
        await transact(this.#ctx, { id: undefined, versions: undefined }, (inside) =>
          storeBatch(inside, this.#organizationId, batch),
        );
      }
    } catch {
      // Storing the pages meets the same error, or has none.
      this.#isOver = true;
    } finally {
      this.#storing = undefined;
    }
  }
}
