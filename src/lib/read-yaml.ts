import { type Document, LineCounter, parseDocument } from 'yaml';

/** Maximum length of a text: the parser takes some milliseconds per thousand characters. */
export const MAX_YAML = 64 * 1024;

export interface ReadYaml {
  document: Document;
  lines: LineCounter;
  /** The first syntax error, with its position. */
  fault?: string;
}

/**
 * The value of a YAML text, or why it has none: syntax errors, aliases, which could multiply the text, or more than 64 kB.
 */
export function dataInYaml(text: string): { data: unknown } | { fault: string } {
  if (text.length > MAX_YAML) return { fault: `it is longer than ${MAX_YAML} characters` };
  const { document, fault } = readYaml(text);
  if (fault !== undefined) return { fault };
  try {
    return { data: document.toJS({ maxAliasCount: 0 }) };
  } catch {
    return { fault: 'it has aliases or is nested too deep' };
  }
}

/** Parses YAML. Only the first error is described: quoting the text for each would take quadratic time. */
export function readYaml(text: string): ReadYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const [error] = document.errors;
  if (!error) return { document, lines };
  const { line, col } = lines.linePos(error.pos[0]);
  return { document, lines, fault: `${error.message.split('\n', 1)[0]} at line ${line}, column ${col}` };
}
