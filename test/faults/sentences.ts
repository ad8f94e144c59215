/** What both sides have written, by who wrote it, and what somebody has deleted on purpose. */
export class Sentences {
  /** How they were written. */
  readonly #alive = new Map<string, string>();
  #count = 0;

  /** A new sentence, which counts as written once `keep` is called with it. */
  write(by: string): string {
    this.#count++;
    return `Sentence ${this.#count} of ${by}.`;
  }

  keep(sentence: string, how: string): void {
    this.#alive.set(sentence, how);
  }

  how(sentence: string): string | undefined {
    return this.#alive.get(sentence);
  }

  /** Somebody has seen this text and deleted it. */
  delete(text: string): void {
    for (const sentence of sentencesIn(text)) this.#alive.delete(sentence);
  }

  get count(): number {
    return this.#count;
  }

  /** The sentences that none of the texts has. */
  missingIn(texts: readonly string[]): string[] {
    const present = new Set(texts.flatMap(sentencesIn));
    return [...this.#alive.keys()].filter((sentence) => !present.has(sentence));
  }
}

export const sentencesIn = (text: string): string[] => text.match(/Sentence \d+ of \w+\./g) ?? [];
