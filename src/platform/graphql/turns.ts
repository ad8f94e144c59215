import { setImmediate } from 'node:timers/promises';

/** Fields that one operation completes in a turn of the event loop: some milliseconds. */
const FIELDS_PER_TURN = 5_000;
/** Items that are completed in a turn in any case. What they load is loaded together, and must not fall apart. */
const MIN_ITEMS = 250;

/**
 * Spreads the lists of an operation over turns of the event loop: an executor completes all items of a list at once, and
 * all lists that were loaded together one right after the other.
 */
export class Turns {
  #fields = 0;
  #items = 0;
  #turn: Promise<void> | undefined;

  /** The turn that so many items are completed in, with so many fields each; undefined is the present one. */
  next(items: number, fieldsOfItem: number): Promise<void> | undefined {
    if (this.#fields > FIELDS_PER_TURN && this.#items >= MIN_ITEMS) {
      this.#fields = 0;
      this.#items = 0;
      this.#turn = (this.#turn ?? Promise.resolve()).then(() => setImmediate());
    }
    this.#fields += items * fieldsOfItem;
    this.#items += items;
    return this.#turn;
  }
}
