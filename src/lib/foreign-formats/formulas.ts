import { escapeMarkdown } from '../document/markdown/write/escape.ts';

/**
 * How the generator of a source reads formulas in text. `literal`: text between single dollars is text. `tight`: it is
 * a formula if it has no blank at its ends and no letter or digit follows. `any`: it always is one. `round`: as
 * `tight`, and `\(…\)` and `\[…\]` are formulas. `doubled`: the same with two backslashes each, as mdBook has them.
 */
export type Dollars = 'literal' | 'tight' | 'any' | 'round' | 'doubled';

const MAX_FORMULA = 4_000;

/** A formula within a text, or text between dollars that looks like one. */
export interface Formula {
  /** Undefined if the generator reads it as text. */
  latex: string | undefined;
  end: number;
}

/** The formula between dollars that begins at an index of a text. */
export function formulaAt(text: string, at: number, dollars: Dollars): Formula | undefined {
  const isDouble = text.startsWith('$$', at);
  const start = at + (isDouble ? 2 : 1);
  if (text[start] === '$') return undefined;
  const close = closingDollar(text, start);
  if (close < 0 || text.startsWith('$$', close) !== isDouble) return undefined;
  const inner = text.slice(start, close);
  const end = close + start - at;
  if (isDouble) return { latex: inner.trim() === '' ? undefined : inner.trim(), end };
  const mayNotFollow = dollars === 'round' ? /\d/ : /[a-z\d]/i;
  const isTight = !/^\s|\s$/.test(inner) && !mayNotFollow.test(text[end] ?? '');
  if (inner.trim() === '' || inner.includes('`') || !(isTight || dollars === 'any')) return undefined;
  return { latex: dollars === 'literal' ? undefined : inner.trim(), end };
}

/** The index of the next dollar that no backslash escapes; -1 if there is none in the paragraph. */
function closingDollar(text: string, start: number): number {
  for (let at = start; at < text.length && at - start < MAX_FORMULA; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '$') return at;
  }
  return -1;
}

/** A formula within a line of this dialect, or within the cell of a table, where bars need a tag. */
export function inlineFormula(latex: string, inTable: boolean): string {
  const lines = latex.split('\n').map((line) => line.trim());
  return inlineLines(lines.join(' '), inTable);
}

/** The same with the lines that it has. */
export function inlineLines(line: string, inTable: boolean): string {
  if (!/^\$|\$$|\$\$/.test(line) && !(inTable && line.includes('|'))) return `$$${line}$$`;
  const text = escapeMarkdown(line, { before: '>', after: '<', inLink: false, inCell: inTable });
  return `<span class="math">${text}</span>`;
}

/** The line below the heading of a table. */
const RULE = /^[ \t>]*(?:\|[ \t]*:?-|:?-{1,100}:?[ \t]*\|)/m;

export const isTable = (text: string): boolean => text.includes('|') && RULE.test(text);

const ALONE = /^(?:\$\$([\s\S]+)\$\$|\\{1,2}\[([\s\S]+?)\\{1,2}\]|(\\begin\{([a-z]+\*?)\}[\s\S]+\\end\{\4\}))$/;
const BEGINNINGS: Readonly<Record<Dollars, RegExp>> = {
  literal: /^(?!)/,
  tight: /^\$\$/,
  any: /^\$\$/,
  round: /^(?:\$\$|\\\[|\\begin\{)/,
  doubled: /^(?:\$\$|\\\\\[)/,
};

/** The lines of a paragraph that consists of a displayed formula, as a block of this dialect. */
export function formulaBlock(lines: readonly string[], dollars: Dollars): string[] | undefined {
  const text = lines.join('\n').trim();
  if (!BEGINNINGS[dollars].test(text)) return undefined;
  const [, double, square, environment] = ALONE.exec(text) ?? [];
  const latex = (double ?? square ?? environment)?.trim();
  if (!latex || /(?<!\\)\$\$/.test(latex)) return undefined;
  const indent = /^[ \t]*/.exec(lines[0] ?? '')?.[0] ?? '';
  return ['$$', ...latex.split('\n').map((line) => line.trim()), '$$'].map((line) => indent + line);
}
