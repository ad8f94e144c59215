import { isRecord } from '../../../lib/is-record.ts';
import { ScimError } from '../../../platform/errors/scim-error.ts';
import { isExtension } from './schemas.ts';

/** The attributes that a request wants in the response (RFC 7644, 3.9). */
export interface Projection {
  attributes?: readonly string[] | undefined;
  excludedAttributes?: readonly string[] | undefined;
}

const MAX_PATHS = 100;

/** Reads the names of attributes, divided by commas or in a list. */
export function pathsIn(value: unknown, name: string): string[] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.some((each) => typeof each !== 'string'))
    throw new ScimError('invalidValue', `${name}: must be names of attributes.`);
  const paths = list.flatMap((each) => String(each).split(',')).map((path) => path.trim().toLowerCase());
  if (paths.length > MAX_PATHS) throw new ScimError('invalidValue', `${name}: up to ${MAX_PATHS} can be named.`);
  const named = paths.filter((path) => path !== '');
  return named.length > 0 ? named : undefined;
}

/** These are in every response (RFC 7643, 7: `returned`). */
const ALWAYS = new Set(['schemas', 'id']);

/** A resource with the attributes that the request wants. */
export function project(
  resource: Record<string, unknown>,
  { attributes, excludedAttributes }: Projection,
  schema: string,
): Record<string, unknown> {
  if (!attributes && !excludedAttributes) return resource;
  const paths = (attributes ?? excludedAttributes ?? []).map((path) => bare(path, schema));
  return cut(resource, '', { paths, isWanted: attributes !== undefined });
}

/** Whether a response with such attributes shows one. */
export function shows({ attributes, excludedAttributes }: Projection, name: string, schema: string): boolean {
  const lower = name.toLowerCase();
  const isNamed = (path: string) => bare(path, schema) === lower || bare(path, schema).startsWith(`${lower}.`);
  if (attributes) return attributes.some(isNamed);
  return !excludedAttributes?.some((path) => bare(path, schema) === lower);
}

function bare(path: string, schema: string): string {
  const prefix = `${schema.toLowerCase()}:`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

interface Cut {
  paths: readonly string[];
  /** The paths are what is wanted, not what is left out. */
  isWanted: boolean;
}

/** An extension divides its attributes by a colon, a complex attribute by a dot. */
const innerPath = (prefix: string, name: string) =>
  prefix === '' ? name.toLowerCase() : `${prefix}${isExtension(prefix) ? ':' : '.'}${name.toLowerCase()}`;

function cut(value: Record<string, unknown>, prefix: string, how: Cut): Record<string, unknown> {
  const { paths, isWanted } = how;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (prefix === '' && ALWAYS.has(name)) return [[name, inner]];
    const path = innerPath(prefix, name);
    if (paths.includes(path)) return isWanted ? [[name, inner]] : [];
    const hasInner = paths.some((each) => each.startsWith(`${path}.`) || each.startsWith(`${path}:`));
    if (!hasInner) return isWanted ? [] : [[name, inner]];
    const projected = Array.isArray(inner)
      ? inner.map((item) => (isRecord(item) ? cut(item, path, how) : item)).filter((item) => !isEmpty(item))
      : isRecord(inner)
        ? cut(inner, path, how)
        : inner;
    return isEmpty(projected) ? [] : [[name, projected]];
  });
  return Object.fromEntries(entries);
}

const isEmpty = (value: unknown) =>
  (Array.isArray(value) && value.length === 0) || (isRecord(value) && Object.keys(value).length === 0);
