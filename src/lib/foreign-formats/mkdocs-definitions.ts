const DEFINITION = /^ {0,3}:[ \t]{1,3}(\S.*)$/;
/** Lines that are no term: blank or indented ones, and those that begin another block. */
const NO_TERM = /^(?:\s|$|#|>|\||<|:|=|```|~~~|!!!|\?\?\?|\/\/\/|(?:[-*+]|\d{1,9}[.)])[ \t])/;
const MAX_TERMS = 10;

/** A definition list: each entry has terms, and definitions in lines without their indentation. */
export interface DefinitionEntry {
  terms: string[];
  definitions: string[][];
  /** Index of the first line after the entry. */
  end: number;
}

/** The entry of a definition list (Python-Markdown `def_list`) that begins at a line. */
export function definitionAt(lines: readonly string[], at: number): DefinitionEntry | undefined {
  const terms = termsAt(lines, at);
  let next = at + terms.length;
  if (terms.length === 0) return undefined;
  if (lines[next]?.trim() === '') next += 1;
  if (!DEFINITION.test(lines[next] ?? '')) return undefined;
  const definitions: string[][] = [];
  let end = next;
  for (;;) {
    const start = isBlank(lines[end]) ? end + 1 : end;
    const [, text] = DEFINITION.exec(lines[start] ?? '') ?? [];
    if (text === undefined) break;
    const stop = endOfDefinition(lines, start + 1);
    definitions.push([text, ...lines.slice(start + 1, stop).map(withoutIndent)]);
    end = stop;
  }
  return { terms, definitions, end };
}

function termsAt(lines: readonly string[], at: number): string[] {
  const terms: string[] = [];
  while (terms.length < MAX_TERMS) {
    const line = lines[at + terms.length] ?? '';
    if (NO_TERM.test(line)) break;
    terms.push(line.trim());
  }
  return terms;
}

/** Lines of the paragraph, and indented lines after blank ones. */
function endOfDefinition(lines: readonly string[], from: number): number {
  let end = from;
  let afterBlank = false;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (isBlank(line)) {
      afterBlank = true;
      continue;
    }
    const isIndented = /^(?: {4}|\t)/.test(line);
    if (!isIndented && (afterBlank || DEFINITION.test(line))) break;
    afterBlank = false;
    end = at + 1;
  }
  return end;
}

const isBlank = (line: string | undefined): boolean => line !== undefined && line.trim() === '';

const withoutIndent = (line: string): string => line.replace(/^(?: {1,4}|\t)/, '');

/** An entry as an item of a list: its terms in bold, then its definitions, whose lines are converted. */
export function definitionItem(terms: readonly string[], definitions: readonly (readonly string[])[]): string[] {
  const title = terms.map((term) => (/[*_]{2}/.test(term) ? term : `**${term}**`)).join('<br>');
  const below = definitions.flatMap((lines) => ['', ...lines.map((line) => (line === '' ? '' : `    ${line}`))]);
  return ['', `*   ${title}`, ...below, ''];
}
