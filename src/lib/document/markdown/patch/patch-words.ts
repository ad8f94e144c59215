import { canonicalJson } from '../../../canonical.ts';
import type { ContentRef } from '../../content-ref.ts';
import type { Block } from '../../document.ts';
import { withoutKeys } from '../../keys.ts';
import { distinctWords, sharedWords } from '../../shared-words.ts';
import { writeBlocks } from '../write/write-blocks.ts';
import { mergeWords } from './merge-words.ts';
import { type BlockPrinting, withLineEnds } from './print-block.ts';
import { fillLines } from './wrap.ts';

/** How words of a text are replaced. */
export interface WordPrinting extends BlockPrinting {
  /** The URL to print for a reference of the source, which is the one that it was written as if that stays. */
  writtenUrl(ref: ContentRef): string;
  /** Whether a text, in its place, is read as this block. */
  isReadAs(text: string, block: Block): boolean;
}

/** Longer texts are printed, because comparing words takes quadratic time. */
const MAX_CHARACTERS = 20_000;

/**
 * Edits the text of a block word by word: unchanged words stay as they were written. Undefined if the result would not
 * be parsed as the block.
 */
export function patchWords(text: string, previous: Block, block: Block, printing: WordPrinting): string | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const forms = printedForms(previous, block, printing);
  // A block without words, such as `<p></p>`, has none to keep.
  if (!forms || forms.printed === '' || forms.printed === forms.edited || isAnother(text, forms)) return undefined;
  for (const first of ['edit', 'writer'] as const) {
    const words = mergeWords({ ...forms, source: text.replace(/\r\n?/g, '\n') }, first);
    if (words === undefined) return undefined;
    const merged = withUnderline(words, text);
    const { width } = printing.style;
    for (const candidate of new Set([width === undefined ? merged : rewrapped(merged, text, width), merged])) {
      const result = withLineEnds(candidate, printing.lineEnd);
      if (printing.isReadAs(result, block)) return result;
    }
  }
  return undefined;
}

/** Whether little is left of a text with several lines, so that their places are no longer meaningful. */
function isAnother(text: string, { printed, edited }: { printed: string; edited: string }): boolean {
  return /[\r\n]/.test(text) && sharedWords(distinctWords(printed), distinctWords(edited)) < 0.3;
}

/** A heading whose line is as long as its title, if the one before was. */
function withUnderline(heading: string, before: string): string {
  const [, old = '', line = ''] = UNDERLINED.exec(before) ?? [];
  const [, title = ''] = UNDERLINED.exec(heading) ?? [];
  return title === '' || old.length !== line.length
    ? heading
    : `${title}\n${line.charAt(0).repeat(Math.max(3, title.length))}`;
}

const UNDERLINED = /^([^\r\n]+)(?:\r\n?|\n)(=+|-+)$/;

/** Both blocks as they are printed in the style of the text. Undefined if there are new footnotes. */
function printedForms(
  previous: Block,
  block: Block,
  { ctx, style, writtenUrl }: WordPrinting,
): { printed: string; edited: string } | undefined {
  const notes = new Map<string, number>();
  const printed = writeBlocks([previous], {
    ...ctx,
    style,
    urlOf: writtenUrl,
    footnote(body) {
      notes.set(canonicalJson(withoutKeys(body)), notes.size + 1);
      return notes.size;
    },
  });
  let isComplete = true;
  const edited = writeBlocks([block], {
    ...ctx,
    style,
    footnote(body) {
      const number = notes.get(canonicalJson(withoutKeys(body)));
      isComplete &&= number !== undefined;
      return number ?? 0;
    },
  });
  return isComplete ? { printed, edited } : undefined;
}

/** Changed lines that are too long are wrapped. */
function rewrapped(text: string, before: string, width: number): string {
  const earlier = new Set(before.split(/\r\n?|\n/));
  const lines = text.split('\n');
  if (lines.length === 1 && earlier.size === 1 && before.length > width) return text;
  return lines
    .flatMap((line) => (line.length <= width || earlier.has(line) ? [line] : fillLines(line, width)))
    .join('\n');
}
