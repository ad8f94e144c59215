import sax from 'sax';
import temml from 'temml';
import type { PdfPrinting } from './context.ts';
import { plainRuns, type TextRun } from './runs.ts';

/** Limits of formulas: characters of one, and expanded macros. Longer ones are shown as they were written. */
const MAX_FORMULA = 2_000;
const MAX_EXPANSIONS = 500;

type Looks = Omit<TextRun, 'text' | 'font'>;

interface MathNode {
  name: string;
  children: (MathNode | string)[];
}

/**
 * A formula in TeX as a line of text: symbols as characters, exponents and indices raised and lowered, fractions with a
 * slash, roots with brackets, rows of matrices between semicolons. A formula that cannot be read is shown as it was
 * written.
 */
export function formulaRuns(printing: PdfPrinting, formula: string, looks: Looks = {}): TextRun[] {
  const math = parse(formula);
  return math
    ? runsOf(printing, math, { ...looks, isolate: {} })
    : plainRuns(printing, formula, { ...looks, isMono: true });
}

function parse(formula: string): MathNode | undefined {
  if (formula.length > MAX_FORMULA) return undefined;
  try {
    return readXml(temml.renderToString(formula, { throwOnError: true, maxExpand: MAX_EXPANSIONS }));
  } catch {
    return undefined;
  }
}

function readXml(xml: string): MathNode {
  const root: MathNode = { name: 'math', children: [] };
  const open = [root];
  const parser = sax.parser(true, { position: false });
  parser.onopentag = ({ name }) => {
    const node: MathNode = { name, children: [] };
    open.at(-1)?.children.push(node);
    open.push(node);
  };
  parser.onclosetag = () => void open.pop();
  parser.ontext = (text) => void open.at(-1)?.children.push(text);
  parser.write(xml).close();
  return root;
}

function runsOf(printing: PdfPrinting, node: MathNode | string, looks: Looks): TextRun[] {
  if (typeof node === 'string') return plainRuns(printing, node, looks);
  const elements = node.children.filter((child) => typeof child !== 'string');
  const [first, second, third] = elements;
  const show = (child: MathNode | string | undefined, more: Looks = {}) =>
    child === undefined ? [] : runsOf(printing, child, { ...looks, ...more });
  const text = (characters: string) => plainRuns(printing, characters, looks);
  switch (node.name) {
    case 'mi':
      return node.children.flatMap((child) => show(child, { ...(isLetter(child) && letterLooks(child)) }));
    case 'mo':
      return node.children.flatMap((child) => (typeof child === 'string' ? text(spaced(child)) : []));
    case 'mover':
    case 'munder':
      // Braces above and below are brackets around a line.
      if (isBrace(second)) return inBrackets(first);
      return [...show(first), ...show(second, node.name === 'mover' ? { sup: true } : { sub: true })];
    case 'msup':
      return [...show(first), ...show(second, { sup: true })];
    case 'msub':
      return [...show(first), ...show(second, { sub: true })];
    case 'msubsup':
    case 'munderover':
      return [...show(first), ...show(second, { sub: true }), ...show(third, { sup: true })];
    case 'mfrac':
      return [...inBrackets(first), ...text(' / '), ...inBrackets(second)];
    case 'msqrt':
      return [...text('√('), ...elements.flatMap((child) => show(child)), ...text(')')];
    case 'mroot':
      return [...show(second, { sup: true }), ...text('√('), ...show(first), ...text(')')];
    case 'mtable':
      return elements.flatMap((row, index) => [...(index > 0 ? text('; ') : []), ...show(row)]);
    case 'mtr':
      return elements.flatMap((cell, index) => [...(index > 0 ? text(', ') : []), ...show(cell)]);
    case 'mspace':
      return text(' ');
    case 'annotation':
      return [];
    default:
      return node.children.flatMap((child) => show(child));
  }

  function inBrackets(part: MathNode | undefined): TextRun[] {
    const runs = show(part);
    return runs.length > 1 ? [...text('('), ...runs, ...text(')')] : runs;
  }
}

const isLetter = (child: MathNode | string): child is string => typeof child === 'string' && /^\p{L}$/u.test(child);

/** Letters in bold and other hands (U+1D400 to U+1D7FF) are not italic as well. */
function letterLooks(letter: string): Looks {
  if (letter === letter.normalize('NFKC')) return { italics: true };
  return /^[\u{1d400}-\u{1d433}\u{1d468}-\u{1d49b}\u{1d6a8}-\u{1d6e1}]$/u.test(letter) ? { bold: true } : {};
}

const isBrace = (node: MathNode | undefined) =>
  node?.name === 'mo' && /^[\u23b4\u23b5\u23dc-\u23e1]$/u.test(node.children.join(''));

/** Operators between two terms are spaced. Brackets, commas and invisible operators are not. */
const spaced = (operator: string) =>
  /^[\u2061-\u2064]$/u.test(operator)
    ? ''
    : /^[=<>≤≥≠≈≡→←⇒⇔±×÷∈∉⊂∪∩∼∝+−]$/u.test(operator)
      ? ` ${operator} `
      : operator;
