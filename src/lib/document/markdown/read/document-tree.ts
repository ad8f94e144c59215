import type { Code, RootContent } from 'mdast';
import { normalizeIdentifier } from 'micromark-util-normalize-identifier';
import { trimOf } from '../../../trim-characters.ts';
import { commonBlocks } from '../fast-path/common-blocks.ts';
import { syntaxTree } from '../syntax/syntax-tree.ts';
import { moveLines } from './move-lines.ts';
import type { Report } from './report.ts';
import { blockParts, type SourceSegment, splitIntoSegments } from './segments.ts';

const definition = /^[ \t>*+-]*\[(\^?)([^\][\n]{1,999})\]:/;
const reference = /\[(\^?)([^\][\n]{1,999})\]/g;

/**
 * The top-level nodes of a Markdown text, with the line positions of the whole text. The time is bounded for any text.
 */
export function documentTree(markdown: string, report: Report): RootContent[] {
  const segments = splitIntoSegments(markdown);
  const defined = labelsDefinedIn(segments);
  return segments.flatMap((segment) => {
    if (!segment.isVerbatim) return segmentTree(segment, defined);
    report(segment.before + 1, 'This part is too complex to be read as Markdown and is kept as it was written.');
    return [verbatim(segment)];
  });
}

/** Parts in common forms are read directly, and the text between them by the grammar. */
function segmentTree({ lines, before }: SourceSegment, defined: ReadonlySet<string>): RootContent[] {
  const nodes: RootContent[] = [];
  const pending: string[] = [];
  let line = before;
  const readPending = () => {
    if (pending.length > 0) nodes.push(...partTree(pending.join('\n'), line - pending.length, defined));
    pending.length = 0;
  };
  for (const part of blockParts(lines)) {
    const texts = part.map(({ text, parsed }) => parsed ?? text);
    const common = hasReference(texts, defined) ? undefined : commonBlocks(texts, line);
    if (common) {
      readPending();
      nodes.push(...common);
    } else pending.push(...texts);
    line += texts.length;
  }
  readPending();
  return nodes;
}

const hasReference = (texts: readonly string[], defined: ReadonlySet<string>): boolean =>
  defined.size > 0 && labelsIn(texts.join('\n')).some((label) => defined.has(label));

/** Labels of what may be references. */
const labelsIn = (text: string): string[] => [...text.matchAll(reference)].map(labelOf);

/** A block that no line continues, not even an indented one. Footnotes would take those in. */
const END_OF_STUBS = '***\n\n';

/**
 * References are only parsed if their definition is in the same text. For definitions in other parts, placeholder
 * lines are inserted before the part, where no block is open.
 */
function partTree(text: string, before: number, defined: ReadonlySet<string>): RootContent[] {
  const used = new Set(labelsIn(text).filter((label) => defined.has(label)));
  const stubs = [...used].map((label) => (label.startsWith('^') ? `[${label}]: .\n\n` : `[${label}]: <>\n\n`));
  if (stubs.length > 0) stubs.push(END_OF_STUBS);
  const nodes = syntaxTree(stubs.join('') + text);
  const added = stubs.length * 2;
  const own = added === 0 ? nodes : nodes.filter((node) => (node.position?.start.line ?? 0) > added);
  if (before !== added) moveLines(own, before - added);
  return own;
}

function labelsDefinedIn(segments: readonly SourceSegment[]): Set<string> {
  const labels = new Set<string>();
  for (const { lines, isVerbatim } of segments) {
    if (isVerbatim) continue;
    for (const { text, isRaw } of lines) {
      const match = !isRaw && text.includes(']:') ? definition.exec(text) : null;
      if (match) labels.add(labelOf(match));
    }
  }
  return labels;
}

function labelOf([, caret = '', label = '']: RegExpMatchArray): string {
  return caret + normalizeIdentifier(label);
}

function verbatim({ lines, before }: SourceSegment): Code {
  const start = { line: before + 1, column: 1 };
  const end = { line: before + lines.length, column: 1 };
  const value = trimOf(lines.map(({ text }) => text).join('\n'), '\n');
  return { type: 'code', value, position: { start, end } };
}
