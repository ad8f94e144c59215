/** What has been opened and must be closed, in the reverse order. */
export class Closing {
  readonly #steps: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#steps.push(close);
  }

  /** Closes everything, also what comes after a failure. Throws the first error. Does nothing a second time. */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
