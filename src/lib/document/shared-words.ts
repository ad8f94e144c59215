const MAX_CHARACTERS = 2000;

/** The distinct words at the start of a text. */
export function distinctWords(text: string): ReadonlySet<string> {
  return new Set(
    text
      .slice(0, MAX_CHARACTERS)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  );
}

/** Similarity of two texts by their words, from 0 to 1 (Dice's coefficient). Texts without words are equal. */
export function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const total = a.size + b.size;
  if (total === 0) return 1;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return (2 * shared) / total;
}
