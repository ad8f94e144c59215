import { blockHtml } from '../document/markdown/read/source-lines.ts';
import { closesFence, type Fence, fenceOf } from './fence.ts';
import { type Dollars, formulaBlock, inlineLines, isTable } from './formulas.ts';
import { maskMarkdown } from './masks.ts';

const RAW = /^ {0,3}<(pre|script|style|textarea)(?=[\s>]|$)/i;
const LIST = /^[ \t]*(?:[-*+]|\d{1,9}[.)]|\[\^[^\]\n]{1,100}\]:)[ \t]/;

/** Markdown with the formulas of its generator in the form that this dialect has. Everything else stays as it is. */
export const withFormulas = (markdown: string, dollars: Dollars): string =>
  dollars === 'literal' || !/[$\\]/.test(markdown)
    ? markdown
    : eachParagraph(markdown.replace(/\r\n?/g, '\n'), (lines) => {
        const { text, restored } = maskMarkdown(lines.join('\n'), dollars);
        return formulaBlock(lines, dollars) ?? restored(text).split('\n');
      });

/** The same within lines only, so that the lines stay the same, and the way back after the Markdown was edited. */
export function exchangeFormulas(
  markdown: string,
  dollars: Dollars,
): { markdown: string; back(edited: string): string } {
  if (dollars === 'literal' || !/[$\\]/.test(markdown)) return { markdown, back: (edited) => edited };
  const sources = new Map<string, string[]>();
  const read = exchanged(markdown, dollars, (latex, before, inTable) => {
    if (linesIn(latex) !== linesIn(before)) return before;
    const after = inlineLines(latex, inTable);
    const same = sources.get(after);
    if (same) same.push(before);
    else sources.set(after, [before]);
    return after;
  });
  return {
    markdown: read,
    back(edited) {
      if (edited === read) return markdown;
      const counts = new Map<string, number>();
      const restored = exchanged(withSpans(edited, sources), dollars, (latex, after) => {
        const [forms = [], index = 0] = [sources.get(after), counts.get(after)];
        counts.set(after, index + 1);
        return forms[Math.min(index, forms.length - 1)] ?? inlineDollars(latex, after, dollars);
      });
      // A formula that is read otherwise keeps the form of this dialect.
      return exchangeFormulas(restored, dollars).markdown === edited ? restored : edited;
    },
  };
}

const linesIn = (text: string): number => text.split('\n').length;

/** Formulas that need a tag here, as they were written. */
function withSpans(edited: string, sources: ReadonlyMap<string, string[]>): string {
  let text = edited;
  for (const [after, [before]] of sources) {
    if (after.startsWith('<') && before !== undefined) text = text.replaceAll(after, () => before);
  }
  return text;
}

/** A new formula in the form of the generator. */
function inlineDollars(latex: string, after: string, dollars: Dollars): string {
  if (!after.startsWith('$$') || latex.includes('$')) return after;
  return dollars === 'doubled' ? `\\\\(${latex}\\\\)` : `$${latex}$`;
}

type Exchange = (latex: string, source: string, inTable: boolean) => string;

const exchanged = (markdown: string, dollars: Dollars, exchange: Exchange): string =>
  eachParagraph(markdown, (lines) => {
    const paragraph = lines.join('\n');
    if (blockHtml.test(paragraph)) return lines;
    const inTable = isTable(paragraph);
    const formula = (latex: string, source: string) => exchange(latex, source, inTable);
    const { text, restored } = maskMarkdown(paragraph, dollars, { formula });
    return restored(text).split('\n');
  });

/** Rewrites the paragraphs of Markdown: text outside of front matter, code, raw HTML and displayed formulas. */
function eachParagraph(markdown: string, rewrite: (lines: readonly string[]) => readonly string[]): string {
  const front = /^---[ \t]*\r?\n[\s\S]*?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(markdown)?.[0] ?? '';
  const lines = markdown.slice(front.length).split('\n');
  const result: string[] = [];
  let isInList = false;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const verbatim = endOfVerbatim(lines, at);
    const end = verbatim ?? endOfText(lines, at);
    const block = lines.slice(at, end);
    if (block.some((each) => LIST.test(each))) isInList = true;
    else if (/^\S/.test(line)) isInList = false;
    const isCode = !isInList && /^(?: {4}|\t)/.test(line);
    const isKept = verbatim !== undefined || isCode || line.trim() === '';
    for (const each of isKept ? block : rewrite(block)) result.push(each);
    at = end;
  }
  return front + result.join('\n');
}

/**
 * The line after a code block, an element with raw text, or a displayed formula with its dollars on lines of their own.
 */
function endOfVerbatim(lines: readonly string[], at: number): number | undefined {
  const line = lines[at] ?? '';
  const fence: Fence | undefined = fenceOf(line);
  const name = RAW.exec(line)?.[1]?.toLowerCase();
  const isEnd = fence
    ? (each: string) => closesFence(fence, each)
    : name !== undefined
      ? (each: string) => each.toLowerCase().includes(`</${name}>`)
      : line.trim() === '$$'
        ? (each: string) => each.trim() === '$$'
        : undefined;
  if (!isEnd) return undefined;
  if (name !== undefined && isEnd(line)) return at + 1;
  for (let index = at + 1; index < lines.length; index++) if (isEnd(lines[index] ?? '')) return index + 1;
  return fence || name !== undefined ? lines.length : undefined;
}

/** The line after a paragraph: a blank one, or one that opens something whose content is verbatim. */
function endOfText(lines: readonly string[], at: number): number {
  let end = at + 1;
  while (end < lines.length && (lines[end] ?? '').trim() !== '' && (lines[at] ?? '').trim() !== '') {
    if (fenceOf(lines[end] ?? '') || RAW.test(lines[end] ?? '')) break;
    end += 1;
  }
  return end;
}
