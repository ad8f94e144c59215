import { blockHtml } from '../document/markdown/read/source-lines.ts';
import { type Dollars, formulaAt, inlineFormula, isTable } from './formulas.ts';
import { hintTitleHtml } from './hint.ts';

/** Marks around the number of a part of a text that is masked. Unicode reserves these characters for internal use. */
const OPEN = '\ufdd2';
/** Ends an element that attributes can follow: a code span, a tag, or the address of a link. */
const ELEMENT = '\ufdd3';
const OTHER = '\ufdd4';

const MARKS = /[\ufdd0-\ufdd4]/g;
const MASK = /\ufdd2(\d+)[\ufdd3\ufdd4]/g;
const CANDIDATE = /\\|`+|\$+|<(?=[A-Za-z/!])|\]\(/g;
const TAG = /<\/?[A-Za-z](?:[^<>"'`]|"[^"<>]*"|'[^'<>]*'){0,2000}>/y;
const ADDRESS = /\]\((?:[^()\n\\]|\\.|\([^()\n]{0,500}\)){0,3000}\)/y;

/** A text in which code, formulas, tags, addresses of links and escaped characters are masked. */
export interface Masked {
  text: string;
  /** The text with its masked parts again, after it was rewritten. */
  restored(rewritten: string): string;
}

export interface MaskOptions {
  /** How code spans come back. */
  code?(span: string): string;
  /** How formulas come back: by default in the form of this dialect. */
  formula?(latex: string, source: string): string;
}

/** Masks what rewriting must not change. */
export function maskMarkdown(markdown: string, dollars: Dollars, options: MaskOptions = {}): Masked {
  const [isHtml, inTable] = [blockHtml.test(markdown), isTable(markdown)];
  // Markdown is not read within a block of HTML.
  const formulaOf = (latex: string) =>
    isHtml ? `<span class="math">${hintTitleHtml(latex)}</span>` : inlineFormula(latex, inTable);
  const { code = (span) => span, formula = formulaOf } = options;
  const text = markdown.replace(MARKS, '\ufffd');
  const parts: string[] = [];
  const unclosed = new Set<string>();
  let result = '';
  let from = 0;
  const candidate = new RegExp(CANDIDATE);
  for (let match = candidate.exec(text); match; match = candidate.exec(text)) {
    const part = partAt(text, match.index, match[0], { dollars, unclosed, code, formula });
    if (!part) continue;
    result += `${text.slice(from, match.index)}${OPEN}${parts.push(part.text) - 1}${part.isElement ? ELEMENT : OTHER}`;
    from = part.end;
    candidate.lastIndex = from;
  }
  return {
    text: result + text.slice(from),
    restored: (rewritten) => rewritten.replace(MASK, (_, index: string) => parts[Number(index)] ?? ''),
  };
}

interface Part {
  text: string;
  end: number;
  isElement: boolean;
}

interface Masking {
  dollars: Dollars;
  /** Signs that nothing later closes, so that it is not searched again. */
  unclosed: Set<string>;
  code: (span: string) => string;
  formula: (latex: string, source: string) => string;
}

function partAt(text: string, at: number, sign: string, masking: Masking): Part | undefined {
  if (sign.startsWith('`')) return codeSpan(text, at, sign, masking);
  if (sign.startsWith('$')) return dollarFormula(text, at, sign, masking);
  if (sign === '](') return matched(ADDRESS, text, at);
  if (sign === '<') return text.startsWith('<!--', at) ? upTo('-->', text, at, masking) : matched(TAG, text, at);
  const slashes = masking.dollars === 'doubled' ? '\\\\' : '\\';
  const round = text.startsWith(`${slashes}(`, at) ? upTo(`${slashes})`, text, at, masking) : undefined;
  if (round) return roundFormula(round, slashes.length + 1, masking);
  const escaped = text.slice(at, at + 2);
  return /^\\[!-/:-@[-`{-~]$/.test(escaped) ? { text: escaped, end: at + 2, isElement: false } : undefined;
}

function codeSpan(text: string, at: number, run: string, { unclosed, code }: Masking): Part | undefined {
  if (unclosed.has(run)) return undefined;
  const close = new RegExp(`(?<!\`)${run}(?!\`)`, 'g');
  close.lastIndex = at + run.length;
  const end = close.exec(text);
  if (!end) return void unclosed.add(run);
  const after = end.index + run.length;
  return { text: code(text.slice(at, after)), end: after, isElement: true };
}

function dollarFormula(text: string, at: number, sign: string, { dollars, formula }: Masking): Part | undefined {
  const match = sign.length > 2 ? undefined : formulaAt(text, at, dollars);
  if (!match) return undefined;
  const source = text.slice(at, match.end);
  const result = match.latex === undefined ? source : formula(match.latex, source);
  return { text: result, end: match.end, isElement: false };
}

/** `\(…\)`, which generators with formulas read as one. */
function roundFormula(part: Part, edge: number, { dollars, formula }: Masking): Part {
  const latex = part.text.slice(edge, -edge).trim();
  const isFormula = (dollars === 'round' || dollars === 'doubled') && latex !== '';
  return isFormula ? { ...part, text: formula(latex, part.text) } : part;
}

function upTo(close: string, text: string, at: number, { unclosed }: Masking): Part | undefined {
  if (unclosed.has(close)) return undefined;
  const end = text.indexOf(close, at + close.length);
  if (end < 0) return void unclosed.add(close);
  return { text: text.slice(at, end + close.length), end: end + close.length, isElement: false };
}

function matched(pattern: RegExp, text: string, at: number): Part | undefined {
  pattern.lastIndex = at;
  const [whole] = pattern.exec(text) ?? [];
  return whole === undefined ? undefined : { text: whole, end: at + whole.length, isElement: true };
}
