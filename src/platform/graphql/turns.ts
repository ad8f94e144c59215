import { setImmediate } from 'node:timers/promises';

/** Fields that one operation completes in a turn of the event loop: some milliseconds. */
const FIELDS_PER_TURN = 5_000;

/**
 * Spreads the lists of an operation over turns of the event loop: an executor completes all items of a list at once, and
 * all lists that were loaded together one right after the other.
 */
export class Turns {
  #used = 0;
  #turn: Promise<void> | undefined;

  /** The turn that so many fields are completed in; undefined is the present one. */
  next(fields: number): Promise<void> | undefined {
    this.#used += fields;
    if (this.#used > FIELDS_PER_TURN) {
      this.#used = fields;
      this.#turn = (this.#turn ?? Promise.resolve()).then(() => setImmediate());
    }
    return this.#turn;
  }
}
