import { type Document, LineCounter, parseDocument } from 'yaml';

/** Maximum length of a text: the parser takes some milliseconds per thousand characters. */
export const MAX_YAML = 64 * 1024;

export interface ReadYaml {
  document: Document;
  lines: LineCounter;
  /** The first syntax error, with its position. */
  fault?: string;
}

/** Parses YAML. Only the first error is described: quoting the text for each would take quadratic time. */
export function readYaml(text: string): ReadYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false });
  const [error] = document.errors;
  if (!error) return { document, lines };
  const { line, col } = lines.linePos(error.pos[0]);
  return { document, lines, fault: `${error.message.split('\n', 1)[0]} at line ${line}, column ${col}` };
}
