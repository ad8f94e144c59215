/**
 * Maximum number of statements that a connection prepares. Each takes memory of the server until the connection is
 * closed.
 */
const MAX_NAMED_STATEMENTS = 500;

/** The statements that a connection has prepared, by their texts. */
export class NamedStatements {
  readonly #names = new Map<string, string>();
  #count = 0;

  /**
   * Whether the connection prepares no further texts. It should be replaced: the driver cannot close a single
   * statement, and texts that came first are not those that come often.
   */
  get isFull(): boolean {
    return this.#count >= MAX_NAMED_STATEMENTS;
  }

  /** Returns the name of a text on this connection. Undefined for new texts once `isFull`. */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || this.isFull) return name;
    const added = `s${++this.#count}`;
    this.#names.set(text, added);
    return added;
  }

  /** Has all texts prepared again, under new names. */
  forget(): void {
    this.#names.clear();
  }
}
