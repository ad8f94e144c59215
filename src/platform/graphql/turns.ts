import { setImmediate } from 'node:timers/promises';
import { isTickBudgetSpent } from '../../lib/tick.ts';

/** Number of fields that an operation completes before it yields to the event loop: a few milliseconds. */
const FIELDS_PER_TURN = 5_000;
/** Minimum number of items per turn, so that their loads are still batched. */
const MIN_ITEMS = 250;
/** The same for turns that last long already: the code is not compiled yet, or others work in the same turn. */
const MIN_ITEMS_OF_LONG_TURN = 64;

/**
 * Spreads the lists of an operation over several turns of the event loop. Executors complete all items of a list, and all
 * lists that were loaded together, in one turn.
 */
export class Turns {
  #fields = 0;
  #items = 0;
  #turn: Promise<void> | undefined;

  /** Resolves in the turn in which the items should be completed. Undefined for the current turn. */
  next(items: number, fieldsOfItem: number): Promise<void> | undefined {
    const isFull = this.#fields > FIELDS_PER_TURN && this.#items >= MIN_ITEMS;
    if (isFull || (this.#items >= MIN_ITEMS_OF_LONG_TURN && isTickBudgetSpent())) {
      this.#fields = 0;
      this.#items = 0;
      this.#turn = (this.#turn ?? Promise.resolve()).then(() => setImmediate());
    }
    this.#fields += items * fieldsOfItem;
    this.#items += items;
    return this.#turn;
  }
}
