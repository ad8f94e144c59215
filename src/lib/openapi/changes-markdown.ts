import type { SpecificationChange } from './compare.ts';

/** The changes as Markdown: a list of breaking changes, and one of the others, below headings of a level. */
export function changesAsMarkdown(changes: readonly SpecificationChange[], level = 2): string {
  const lists = [
    ['Breaking changes', changes.filter(({ isBreaking }) => isBreaking)],
    ['Other changes', changes.filter(({ isBreaking }) => !isBreaking)],
  ] as const;
  const parts = lists.flatMap(([heading, items]) =>
    items.length === 0 ? [] : [`${'#'.repeat(level)} ${heading}\n\n${items.map(item).join('\n')}\n`],
  );
  return parts.length === 0 ? 'Nothing changed.\n' : parts.join('\n');
}

function item({ subject, kind, name, reasons }: SpecificationChange): string {
  const lines = reasons.map(
    ({ message, isBreaking }) => `  * ${isBreaking ? '**' : ''}${escaped(message)}${isBreaking ? '**' : ''}`,
  );
  return [`* ${subject} \`${name.replaceAll('`', "'")}\` ${kind}`, ...lines].join('\n');
}

const escaped = (text: string) => text.replace(/[\\`*_{}[\]<>|]/g, '\\$&').replace(/\s+/g, ' ');
