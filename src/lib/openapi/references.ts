import { isJsonRecord, type JsonRecord, type JsonValue } from './read-source.ts';

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
export function referenceObjectsIn(root: JsonValue): Reference[] {
  const references: Reference[] = [];
  visitObjects(root, (value) => {
    if (isReference(value)) references.push(value);
  });
  return references;
}

/** References to the schemas that discriminators within a part name in their mappings. */
export function mappedIn(root: JsonValue): string[] {
  const refs: string[] = [];
  visitObjects(root, ({ discriminator }) => {
    const mapping = isJsonRecord(discriminator) && isJsonRecord(discriminator.mapping) ? discriminator.mapping : {};
    for (const target of Object.values(mapping)) if (typeof target === 'string') refs.push(refOfMapping(target));
  });
  return refs;
}

/** A mapping has the name of a schema or a reference to it (OpenAPI 3.1, 4.8.25.4). */
const refOfMapping = (target: string) => (/[/#.]/.test(target) ? target : `#/components/schemas/${target}`);

/** References to the variants of a base that lists them only in its discriminator, by the values that choose them. */
export function variantsOf({ discriminator, oneOf, anyOf }: JsonRecord): [value: string, ref: string][] {
  const mapping = isJsonRecord(discriminator) && !oneOf && !anyOf ? discriminator.mapping : undefined;
  return Object.entries(isJsonRecord(mapping) ? mapping : {}).flatMap(([value, target]) =>
    typeof target === 'string' ? [[value, refOfMapping(target)]] : [],
  );
}

/** Visits the objects of a part whose members are keywords. */
function visitObjects(root: JsonValue, act: (value: JsonRecord) => void): void {
  const visit = (value: JsonValue, isNamed: boolean): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, false);
      return;
    }
    if (!isJsonRecord(value)) return;
    if (!isNamed) act(value);
    for (const [name, member] of Object.entries(value)) {
      if (isNamed) visit(member, false);
      else if (isSearched(name, member)) visit(member, NAMED.has(name) && isJsonRecord(member));
    }
  };
  visit(root, false);
}

/** Examples in a list are those of a schema, which are values. */
const isSearched = (name: string, member: JsonValue) =>
  !VALUES.has(name) &&
  !(name === 'examples' && Array.isArray(member)) &&
  (!name.startsWith('x-') || name === 'x-webhooks');

/** The tokens of a JSON Pointer in a URI fragment (RFC 6901, section 6). Undefined for anchors and malformed ones. */
export function pointerTokens(fragment: string): string[] | undefined {
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
    else if (isJsonRecord(value)) value = Object.hasOwn(value, token) ? value[token] : undefined;
    else return undefined;
  }
  return value;
}

/** A pointer of tokens, with the leading number sign. */
export const pointerOf = (tokens: readonly string[]) =>
  `#${tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`;

/**
 * A reference of a file that leads back to itself through others of the file. Undefined if there is none. Takes linear
 * time.
 */
export function circularReferenceIn(file: JsonRecord): string | undefined {
  const ended = new Set<Reference>();
  for (const reference of referenceObjectsIn(file)) {
    const chain = new Set<Reference>();
    for (let at: Reference | undefined = reference; at !== undefined && !ended.has(at); at = nextIn(file, at)) {
      if (chain.has(at)) return at.$ref;
      chain.add(at);
    }
    for (const each of chain) ended.add(each);
  }
  return undefined;
}

/** The reference that is the target of a reference in the same file. */
function nextIn(file: JsonRecord, { $ref }: Reference): Reference | undefined {
  const tokens = $ref.startsWith('#') ? pointerTokens($ref.slice(1)) : undefined;
  const value = tokens && valueAt(file, tokens);
  return isJsonRecord(value) && isReference(value) ? value : undefined;
}
