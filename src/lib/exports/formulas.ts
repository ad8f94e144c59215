import { escapeText } from '../document/markdown/escape.ts';

/**
 * How the generator of a source reads text between single dollars. `literal`: as text. `tight`: as a formula if it has no blank
 * at its ends and no digit follows. `any`: always as a formula.
 */
export type Dollars = 'literal' | 'tight' | 'any';

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
  const isTight = !/^\s|\s$/.test(inner) && !/\d/.test(text[end] ?? '');
  if (inner.trim() === '' || !(isTight || dollars === 'any')) return undefined;
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

/** A formula within a line of this dialect. */
export function inlineFormula(latex: string): string {
  const line = latex.replace(/\s*\n\s*/g, ' ');
  if (!/^\$|\$$|\$\$|\|/.test(line)) return `$$${line}$$`;
  const text = escapeText(line, { before: '>', after: '<', inLink: false, inCell: true });
  return `<span class="math">${text}</span>`;
}

const ALONE = /^(?:\$\$([\s\S]+)\$\$|\\\[([\s\S]+)\\\]|(\\begin\{([a-z]+\*?)\}[\s\S]+\\end\{\4\}))$/;

/** The lines of a paragraph that consists of a displayed formula, as a block of this dialect. */
export function formulaBlock(lines: readonly string[]): string[] | undefined {
  const text = lines.join('\n').trim();
  const start = text.slice(0, 8);
  if (!/^(?:\$\$|\\\[|\\begin\{)/.test(start)) return undefined;
  const [, dollars, square, environment] = ALONE.exec(text) ?? [];
  const latex = (dollars ?? square ?? environment)?.trim();
  if (!latex || /(?<!\\)\$\$/.test(latex)) return undefined;
  const indent = /^[ \t]*/.exec(lines[0] ?? '')?.[0] ?? '';
  return ['$$', ...latex.split('\n').map((line) => line.trim()), '$$'].map((line) => indent + line);
}
