/** What both sides have written, by who wrote it, and what somebody has deleted on purpose. */
export class Sentences {
  readonly #alive = new Set<string>();
  #count = 0;

  /** A new sentence, which counts as written once `keep` is called with it. */
  write(by: string): string {
    this.#count++;
    return `Sentence ${this.#count} of ${by}.`;
  }

  keep(sentence: string): void {
    this.#alive.add(sentence);
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
    return [...this.#alive].filter((sentence) => !present.has(sentence));
  }
}

export const sentencesIn = (text: string): string[] => text.match(/Sentence \d+ of \w+\./g) ?? [];
