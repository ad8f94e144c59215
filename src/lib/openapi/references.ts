import { isRecord, type JsonRecord, type JsonValue } from './read-source.ts';

/** Members whose own members have names of the author's choice, so that none of them is a keyword. */
const NAMED = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'schemas',
  'responses',
  'parameters',
  'requestBodies',
  'headers',
  'securitySchemes',
  'links',
  'callbacks',
  'pathItems',
  'paths',
  'webhooks',
  'content',
  'encoding',
  'examples',
]);

/** Members with values of the described API, in which `$ref` has no meaning. */
const VALUES = new Set(['example', 'default', 'enum', 'const', 'value']);

/** A Reference Object: the object itself, so that its target can be rewritten. */
export interface Reference extends JsonRecord {
  $ref: string;
}

const isReference = (value: JsonRecord): value is Reference => typeof value.$ref === 'string';

/** All Reference Objects within a part of a specification. Extensions other than `x-webhooks` are not searched. */
export function referencesIn(root: JsonValue): Reference[] {
  const found: Reference[] = [];
  const visit = (value: JsonValue, isNamed: boolean): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, false);
      return;
    }
    if (!isRecord(value)) return;
    if (!isNamed && isReference(value)) found.push(value);
    for (const [name, member] of Object.entries(value)) {
      if (isNamed) visit(member, false);
      else if (isSearched(name, member)) visit(member, NAMED.has(name) && isRecord(member));
    }
  };
  visit(root, false);
  return found;
}

/** Examples in a list are those of a schema, which are values. */
const isSearched = (name: string, member: JsonValue) =>
  !VALUES.has(name) &&
  !(name === 'examples' && Array.isArray(member)) &&
  (!name.startsWith('x-') || name === 'x-webhooks');

/** The tokens of a JSON Pointer in a URI fragment (RFC 6901, section 6). Undefined for anchors and malformed ones. */
export function tokensOf(fragment: string): string[] | undefined {
  if (fragment === '') return [];
  if (!fragment.startsWith('/')) return undefined;
  try {
    return decodeURIComponent(fragment)
      .slice(1)
      .split('/')
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined;
  }
}

/** The value at a pointer. Undefined if there is none. */
export function valueAt(root: JsonValue, tokens: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const token of tokens) {
    if (Array.isArray(value)) value = value[Number(token)];
    else if (isRecord(value)) value = Object.hasOwn(value, token) ? value[token] : undefined;
    else return undefined;
  }
  return value;
}

/** A pointer of tokens, with the leading number sign. */
export const pointerOf = (tokens: readonly string[]) =>
  `#${tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`;
