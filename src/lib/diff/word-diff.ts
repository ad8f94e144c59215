import { diffArrays } from 'diff';

/** A piece of text in both versions or in one of them. */
export interface DiffSpan {
  change: WordChange;
  text: string;
}

export type WordChange = 'same' | 'added' | 'deleted';

/** With more edits, two texts count as entirely different: finding the fewest edits takes quadratic time. */
const MAX_EDITS = 250;
/** Longer sequences are not compared, and longer texts are not split into words. */
const MAX_ITEMS = 5_000;
const MAX_CHARACTERS = 10_000;

const words = new Intl.Segmenter('und', { granularity: 'word' });

/** The words, spaces and punctuation of a text, also in scripts without spaces between words. */
export function splitWords(text: string): string[] {
  if (text.length > MAX_CHARACTERS) return [text];
  return Array.from(words.segment(text), ({ segment }) => segment);
}

/** Compares two texts word by word. Deletions come before the additions that replace them. */
export function diffWords(before: string, after: string): DiffSpan[] {
  return diffSequences(splitWords(before), splitWords(after), (word) => word).map(({ change, items }) => ({
    change,
    text: items.join(''),
  }));
}

/** Compares two sequences. Items are equal if their names are. Equal items are taken from the second sequence. */
export function diffSequences<Item>(
  before: readonly Item[],
  after: readonly Item[],
  nameOf: (item: Item) => string,
): { change: WordChange; items: Item[] }[] {
  const names = [before.map(nameOf), after.map(nameOf)] as const;
  const isShort = before.length + after.length <= MAX_ITEMS;
  const runs = isShort ? diffArrays(names[0], names[1], { maxEditLength: MAX_EDITS }) : undefined;
  if (!runs) return [run('deleted', before), run('added', after)].filter(({ items }) => items.length > 0);
  const [old, now] = [before.values(), after.values()];
  return runs.map(({ added, removed, count }) => {
    if (removed) return run('deleted', take(old, count));
    if (!added) take(old, count);
    return run(added ? 'added' : 'same', take(now, count));
  });
}

/** The next `count` items, without closing the iterator. */
function take<Item>(items: Iterator<Item>, count: number): Item[] {
  const result: Item[] = [];
  while (result.length < count) {
    const next = items.next();
    if (next.done) break;
    result.push(next.value);
  }
  return result;
}

const run = <Item>(change: WordChange, items: readonly Item[]) => ({ change, items: [...items] });
