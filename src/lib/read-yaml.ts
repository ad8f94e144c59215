import { type Document, LineCounter, parseDocument, type YAMLError } from 'yaml';

/** Maximum length of a text: the parser takes some milliseconds per thousand characters. */
export const MAX_YAML = 64 * 1024;

/**
 * How texts from outside are parsed. Keys are as written, `2.0` for one. Collections as keys are errors: converting them
 * to text takes seconds for a few hundred nested ones. Errors do not quote the text, which would take quadratic time.
 */
export const YAML_PARSING = { uniqueKeys: false, stringKeys: true, prettyErrors: false, logLevel: 'error' } as const;

/** Description of the fault, for the author of the text. */
export const yamlFault = ({ code, message }: YAMLError): string =>
  code === 'NON_STRING_KEY' ? 'All keys must be strings' : (message.split('\n', 1)[0] ?? '');

export interface ReadYaml {
  document: Document;
  lines: LineCounter;
  /** The first syntax error, with its position. */
  fault?: string;
}

/**
 * The value of a YAML text, or the reason why it has none: syntax errors, aliases, which could multiply the text, or
 * more than 64 kB.
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

/** Parses YAML. Only the first error is described. */
export function readYaml(text: string): ReadYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...YAML_PARSING, lineCounter: lines });
  const [error] = document.errors;
  if (!error) return { document, lines };
  const { line, col } = lines.linePos(error.pos[0]);
  return { document, lines, fault: `${yamlFault(error)} at line ${line}, column ${col}` };
}
