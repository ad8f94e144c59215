/**
 * A map that keeps the most recently used entries, up to a number of them or, where `weightOf` is given, up to a sum of
 * weights. An entry that is heavier than all that may be kept is not kept.
 */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #capacity: number;
  readonly #weightOf: (key: Key, value: Value) => number;
  #weight = 0;

  constructor(capacity: number, weightOf: (key: Key, value: Value) => number = () => 1) {
    this.#capacity = capacity;
    this.#weightOf = weightOf;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#remove(key);
    const weight = this.#weightOf(key, value);
    if (weight > this.#capacity) return;
    this.#entries.set(key, value);
    this.#weight += weight;
    while (this.#weight > this.#capacity) {
      const [oldest] = this.#entries.keys();
      if (oldest === undefined) return;
      this.#remove(oldest);
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  #remove(key: Key): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#weightOf(key, value);
  }
}
