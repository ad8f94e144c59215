import type { Code, RootContent } from 'mdast';
import { normalizeIdentifier } from 'micromark-util-normalize-identifier';
import { trimOf } from '../../trim-characters.ts';
import { moveLines } from './move-lines.ts';
import type { Report } from './report.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { syntaxTree } from './syntax-tree.ts';

const definition = /^[ \t>*+-]*\[(\^?)([^\][\n]{1,999})\]:/;
const reference = /\[(\^?)([^\][\n]{1,999})\]/g;

/**
 * The top-level nodes of a Markdown text, with the line positions of the whole text. The time is bounded for any text.
 */
export function documentTree(markdown: string, report: Report): RootContent[] {
  const segments = segmentsOf(markdown);
  const defined = segments.length > 1 ? labelsDefinedIn(segments) : new Set<string>();
  return segments.flatMap((segment) => {
    if (!segment.isVerbatim) return segmentTree(segment, defined);
    report(segment.before + 1, 'This part is too complex to be read as Markdown and is kept as it was written.');
    return [verbatim(segment)];
  });
}

/**
 * References are only parsed if their definition is in the same text. For definitions in other segments, placeholder
 * lines are inserted before the segment, where no block is open.
 */
function segmentTree({ text, before }: Segment, defined: ReadonlySet<string>): RootContent[] {
  const used = new Set([...text.matchAll(reference)].map(labelOf).filter((label) => defined.has(label)));
  const stubs = [...used].map((label) => (label.startsWith('^') ? `[${label}]: .\n\n` : `[${label}]: <>\n\n`));
  const nodes = syntaxTree(stubs.join('') + text);
  const added = stubs.length * 2;
  const own = added === 0 ? nodes : nodes.filter((node) => (node.position?.start.line ?? 0) > added);
  if (before !== added) moveLines(own, before - added);
  return own;
}

function labelsDefinedIn(segments: readonly Segment[]): Set<string> {
  const labels = new Set<string>();
  for (const { text, isVerbatim } of segments) {
    if (isVerbatim || !text.includes(']:')) continue;
    for (const line of text.split('\n')) {
      const found = definition.exec(line);
      if (found) labels.add(labelOf(found));
    }
  }
  return labels;
}

function labelOf([, caret = '', label = '']: RegExpMatchArray): string {
  return caret + normalizeIdentifier(label);
}

function verbatim({ text, before }: Segment): Code {
  const start = { line: before + 1, column: 1 };
  const end = { line: before + text.split('\n').length, column: 1 };
  return { type: 'code', value: trimOf(text, '\n'), position: { start, end } };
}
