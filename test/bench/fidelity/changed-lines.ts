import { diffArrays } from 'diff';

/** Lines that were removed or added between two texts, in groups that stand together. */
export function changedLines(before: string, after: string): string[][] {
  const groups: string[][] = [];
  let isOpen = false;
  for (const { added, removed, value } of diffArrays(linesOf(before), linesOf(after))) {
    if (added || removed) {
      if (!isOpen) groups.push([]);
      groups.at(-1)?.push(...value.map((line) => `${added ? '+' : '-'}${line}`));
    }
    isOpen = added || removed;
  }
  return groups;
}

/** The lines of a text with their ends. */
export const linesOf = (text: string): string[] => text.split(/(?<=\n)/);
