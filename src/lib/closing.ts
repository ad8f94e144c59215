/** What has been opened and must be closed, in the reverse order. */
export class Closing {
  readonly #steps: (() => unknown)[] = [];
  #closing: Promise<void> | undefined;

  add(close: () => unknown): void {
    this.#steps.push(close);
  }

  /** Closes everything, also what comes after a failure. Throws the first error. Later calls wait for the same. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const errors: unknown[] = [];
    for (const step of this.#steps.toReversed()) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
