import type { Item } from './item.ts';
import { isBlank } from './items.ts';

/** A run of HTML text and elements without the white space at its ends. */
export function trimmed(run: readonly Item[]): Item[] {
  const first = run.findIndex((item) => !isBlank(item));
  const last = run.findLastIndex((item) => !isBlank(item));
  if (first === -1) return [];
  return run.slice(first, last + 1).map((item, i, all) => {
    if (item.kind !== 'text') return item;
    const source = i === 0 ? item.source.replace(/^[ \t\n]+/, '') : item.source;
    return { ...item, source: i === all.length - 1 ? source.replace(/[ \t\n]+$/, '') : source };
  });
}
