import type { Block } from '../../document.ts';
import { pairSequences } from '../../pair-sequences.ts';
import { contentLength, linesOf } from './lines-of.ts';
import { mergeWords, type TextForms } from './merge-words.ts';
import type { WordPrinting } from './patch-words.ts';
import { type BlockPrinting, printPlainly, withLineEnds } from './print-block.ts';
import { replaceCells } from './table-lines.ts';

/**
 * A table with bars or a code block whose lines correspond to printed lines: unchanged lines are kept, and unchanged
 * cells and words in changed rows. Undefined for other forms.
 */
export function patchLines(text: string, previous: Block, block: Block, printing: WordPrinting): string | undefined {
  if (block.type !== 'table' && block.type !== 'code') return undefined;
  const byWords = block.type === 'table' ? replaceLines(text, previous, block, printing, editCell) : undefined;
  if (byWords !== undefined && printing.isReadAs(byWords, block)) return byWords;
  return replaceLines(text, previous, block, printing, ({ edited }) => edited);
}

/** The text of a cell with other words. Bars must stay escaped, so cells with bars are printed. */
function editCell({ printed, source, edited }: TextForms): string {
  const isSimple = !/[|\n]/.test(printed + source + edited) && printed.length + source.length < MAX_CELL_CHARACTERS;
  return (isSimple ? mergeWords({ printed, source, edited }, 'edit') : undefined) ?? edited;
}

/** Longer cells are printed, because comparing words takes quadratic time. */
const MAX_CELL_CHARACTERS = 5_000;

function replaceLines(
  text: string,
  previous: Block,
  block: Block,
  printing: BlockPrinting,
  edit: (cell: TextForms) => string,
): string | undefined {
  const lines = linesOf(text);
  const [before, after] = [previous, block].map((each) =>
    printPlainly(each, { ...printing, lineEnd: '\n' }).split('\n'),
  );
  if (!before || !after || before.length !== lines.length) return undefined;
  const isTable = block.type === 'table';
  if (isTable && (!text.trimStart().startsWith('|') || !after[0]?.startsWith('|') || before[1] !== after[1]))
    return undefined;
  const isAligned = new Set(lines.map((line) => line.trim().length)).size === 1;
  const likeness = { identity: (line: string) => line, score: () => 0.5 };
  const partners = pairSequences(before, after, likeness);
  const result = after.map((line, i) => {
    const partner = partners[i] ?? -1;
    const source = lines[partner] ?? '';
    const content = source.slice(0, contentLength(source));
    if (partner === -1) return line;
    if (before[partner] === line) return content;
    return (isTable && replaceCells(content, before[partner] ?? '', line, { edit, isAligned })) || line;
  });
  return withLineEnds(result.join('\n'), printing.lineEnd);
}
