import { type Document, LineCounter, parseDocument, visit, type YAMLError } from 'yaml';

/** Maximum length of a text: the parser takes some milliseconds per thousand characters. */
export const MAX_YAML = 64 * 1024;

/**
 * How texts from outside are parsed. Keys are as written, `2.0` for one. Collections as keys are errors: converting
 * them to text takes seconds for a few hundred nested ones. Errors do not quote the text, which would take quadratic
 * time.
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
    return { data: toData(document, { maxAliasCount: 0 }) };
  } catch {
    return { fault: 'it has aliases or is nested too deep' };
  }
}

/**
 * The value of a document. Numbers that JSON cannot represent become the text that they are written as, such as the
 * abbreviated commit `12e4567`, which would be infinite. Throws for aliases that multiply a value more often than
 * `maxAliasCount`, and for values that are nested too deep.
 */
export function toData(document: Document, { maxAliasCount }: { maxAliasCount: number }): unknown {
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'number' && !Number.isFinite(scalar.value)) scalar.value = scalar.source ?? null;
    },
  });
  return document.toJS({ maxAliasCount });
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
