import { type Document, LineCounter, parseDocument } from 'yaml';

/** Texts are read up to here: the parser takes some milliseconds for each thousand characters. */
export const MAX_YAML = 64 * 1024;

export interface ReadYaml {
  document: Document;
  lines: LineCounter;
  /** The first thing that is wrong with the text, and where. */
  fault?: string;
}

/** Reads YAML. Only the first fault is described: to quote the text at each takes the square of their number. */
export function readYaml(text: string): ReadYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false });
  const [error] = document.errors;
  if (!error) return { document, lines };
  const { line, col } = lines.linePos(error.pos[0]);
  return { document, lines, fault: `${error.message.split('\n', 1)[0]} at line ${line}, column ${col}` };
}
