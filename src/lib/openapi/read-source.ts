import { LineCounter, parseDocument } from 'yaml';
import { YAML_PARSING, yamlFault } from '../read-yaml.ts';
import { positionAt, type SpecificationFault, UnusableSpecification } from './fault.ts';
import { jsonFault } from './json-fault.ts';

export type SourceFormat = 'json' | 'yaml';

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };
export type JsonRecord = { [name: string]: JsonValue };

/** Levels of nesting of a specification. The functions that walk through one recurse. */
const MAX_DEPTH = 200;

const MERGE_KEY = '<<';

/** Number of nodes that aliases of YAML may repeat. Beyond it, the text expands to more than it seems. */
const MAX_ALIASES = 1_000;

/**
 * Parses a text as JSON or, if it is not JSON, as YAML 1.2. Throws `UnusableSpecification` with the place of the first
 * syntax error, and for values that the database cannot store.
 */
export function parseSource(text: string): { value: JsonRecord; format: SourceFormat } {
  const start = text.trimStart().slice(0, 1);
  if (start === '') throw unusable({ message: 'The source is empty.' });
  if (start === '<')
    throw unusable({ message: 'The source is HTML or XML. It must be JSON or YAML.', line: 1, column: 1 });
  const format: SourceFormat = start === '{' ? 'json' : 'yaml';
  const value = format === 'json' ? readJson(text) : readYaml(text);
  if (!isJsonRecord(value)) {
    throw unusable({ message: 'The source is not an OpenAPI specification: it is not an object.', line: 1, column: 1 });
  }
  checkValues(value);
  return { value: format === 'yaml' ? mergeRecord(value) : value, format };
}

export const isJsonRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unusable({ message: 'The source is not valid JSON.', ...positionAt(text, faultIn(text)) });
  }
}

/** The expression engine gives up on strings of millions of characters. */
function faultIn(text: string): number {
  try {
    return jsonFault(text);
  } catch {
    return 0;
  }
}

function readYaml(text: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...YAML_PARSING, lineCounter: lines });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw unusable({ message: `The source is not valid YAML: ${yamlFault(error)}`, line, column: col });
  }
  try {
    // Through JSON, so that repeated aliases are separate values and dates are text.
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES })) ?? 'null');
  } catch {
    throw unusable({
      message: 'The aliases of the YAML source are unresolved, circular or expand to too many values.',
    });
  }
}

/**
 * Applies merge keys (`<<: *shared`) as YAML 1.1 defines them (yaml.org/type/merge.html): own members win, then earlier
 * sources. Runs on values whose aliases are expanded, so the result is smaller than the input. Recursion is bounded by
 * `MAX_DEPTH`.
 */
function mergeKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(mergeKeys);
  return isJsonRecord(value) ? mergeRecord(value) : value;
}

function mergeRecord(record: JsonRecord): JsonRecord {
  const entries = Object.entries(record).map(([name, member]) => [name, mergeKeys(member)] as const);
  const sources = entries.filter(([name]) => name === MERGE_KEY).flatMap(([, source]) => source);
  if (!sources.every(isJsonRecord)) return Object.fromEntries(entries);
  const members = entries.filter(([name]) => name !== MERGE_KEY);
  return Object.fromEntries([...sources.toReversed().flatMap((source) => Object.entries(source)), ...members]);
}

/** Rejects deep nesting, NUL and unpaired surrogates, without recursion. */
function checkValues(root: JsonValue): void {
  let level: JsonValue[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw unusable({ message: `The source is nested more than ${MAX_DEPTH} levels deep.` });
    const next: JsonValue[] = [];
    for (const value of level) {
      if (typeof value === 'string') checkText(value);
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) {
        for (const item of value) next.push(item);
        continue;
      }
      for (const [name, member] of Object.entries(value)) {
        checkText(name);
        next.push(member);
      }
    }
    level = next;
  }
}

function checkText(text: string): void {
  if (text.includes('\u0000') || !text.isWellFormed()) {
    throw unusable({ message: 'The source contains NUL or an unpaired surrogate, which is not a character.' });
  }
}

const unusable = (fault: SpecificationFault) => new UnusableSpecification([fault]);
