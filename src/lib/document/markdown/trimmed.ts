import { trimEndOf, trimStartOf } from '../../trim-characters.ts';
import type { Item } from './item.ts';
import { isBlank } from './items.ts';

/** A run of HTML text and elements, trimmed. */
export function trimmed(run: readonly Item[]): Item[] {
  const first = run.findIndex((item) => !isBlank(item));
  const last = run.findLastIndex((item) => !isBlank(item));
  if (first === -1) return [];
  return run.slice(first, last + 1).map((item, i, all) => {
    if (item.kind !== 'text') return item;
    const source = i === 0 ? trimStartOf(item.source, ' \t\n') : item.source;
    return { ...item, source: i === all.length - 1 ? trimEndOf(source, ' \t\n') : source };
  });
}
