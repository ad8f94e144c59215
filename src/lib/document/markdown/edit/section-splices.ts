import type { OutlineHeading } from './outline-text.ts';
import type { Splice } from './splice.ts';
import { asPart, contentWithin, gapAfter, gapBefore, lineEndOf, removalOf } from './text-parts.ts';

/**
 * A change of a section: the new content below its heading, content to add at its end, or its removal with the heading.
 */
export type SectionChange = { replaceWith: string } | { append: string } | 'delete';

/** The replacements in a text that change a section. */
export function sectionSplices(text: string, section: OutlineHeading, change: SectionChange): Splice[] {
  if (change === 'delete') return [{ ...removalOf(text, trimmed(text, section)), text: '' }];
  const lineEnd = lineEndOf(text);
  const content = contentWithin(text, { from: section.headingTo, to: section.to });
  const part = asPart('append' in change ? change.append : change.replaceWith, lineEnd);
  if ('replaceWith' in change && content) {
    // Without new content, the blank lines below the heading go too.
    return part === '' ? [{ from: section.headingTo, to: content.to, text: '' }] : [{ ...content, text: part }];
  }
  if (part === '') return [];
  const at = content?.to ?? section.headingTo;
  return [{ from: at, to: at, text: gapBefore(text, at, lineEnd) + part + gapAfter(text, at, lineEnd) }];
}

/** The section from its heading to the end of its last line with content. */
function trimmed(text: string, { from, to }: OutlineHeading): { from: number; to: number } {
  const content = contentWithin(text, { from, to });
  return { from, to: content ? content.to : to };
}
