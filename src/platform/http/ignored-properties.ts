import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { UNKNOWN_PROPERTY } from '../../lib/validation/describe-issue.ts';
import { ApiError } from '../errors/errors.ts';
import type { Operation } from '../operation/operation.ts';

const IGNORED_PROPERTIES = 'Stemma-Ignored-Properties';

const MAX_NAMES = 10;
const MAX_BYTES = 500;

/** Values of a body that are compared with its schema. Deep unions of a hostile body would take many comparisons. */
const MAX_VALUES = 5_000;

type Path = (string | number)[];

/**
 * Returns the paths of properties in a body that its schema does not have, in document order: at most ten, and of the
 * first few thousand values of the body. Of a union, the option counts that leaves out the fewest properties.
 */
export function ignoredProperties(schema: z.ZodType, body: unknown): Path[] {
  const budget = { values: MAX_VALUES };
  return ignoredIn(schema, body, budget).slice(0, MAX_NAMES);
}

/** Names the ignored properties of a request in a header of its response: percent-encoded, at most 500 bytes. */
export function reportIgnoredProperties(reply: FastifyReply, paths: readonly Path[]): void {
  if (paths.length > 0) reply.header(IGNORED_PROPERTIES, headerOf(paths));
}

function headerOf(paths: readonly Path[]): string {
  let value = '';
  for (const path of paths) {
    const name = path.map((part) => encodeURIComponent(String(part).toWellFormed())).join('.');
    const longer = value === '' ? name : `${value}, ${name}`;
    if (longer.length > MAX_BYTES) break;
    value = longer;
  }
  // Stands for a first name that is too long, so that the header is never empty.
  return value === '' ? '...' : value;
}

/** The error for a strict request with properties that would be ignored. */
export function unknownProperties(paths: readonly Path[]): ApiError {
  const issues = paths.map((path) => ({ path, message: UNKNOWN_PROPERTY, code: 'UNKNOWN_PROPERTY' as const }));
  const names = paths.map((path) => path.join('.').slice(0, 100));
  return new ApiError('BAD_USER_INPUT', `Unknown properties: ${names.join(', ')}.`, issues);
}

/** The parts of a route's description that decide on its body. */
interface Described {
  rename?: Readonly<Record<string, string>>;
  sets?: readonly string[];
  body?: z.ZodObject;
}

/** What decides on the body of a route. */
export interface JsonRoute {
  path: string;
  operation: Pick<Operation, 'input'>;
  about: Described;
}

const bodySchemas = new WeakMap<Described, z.ZodObject>();

/** The properties that a body can have, by their names in REST. Those that the path has are not among them. */
export function bodySchemaOf({ path, operation, about }: JsonRoute): z.ZodObject {
  const cached = bodySchemas.get(about);
  if (cached) return cached;
  const theirs = new Map(Object.entries(about.rename ?? {}).map(([name, ours]) => [ours, name]));
  const { shape } = about.body ?? operation.input;
  const inPath = new Set(path.split('/').map((segment) => segment.slice(1)));
  const { sets = [] } = about;
  const named = Object.entries(shape)
    .filter(([name]) => about.body !== undefined || !sets.includes(name))
    .map(([name, member]) => [about.body ? name : (theirs.get(name) ?? name), member] as const);
  const members = Object.fromEntries(named.filter(([name]) => about.body !== undefined || !inPath.has(name)));
  const { catchall } = (about.body ?? operation.input).def;
  const schema = catchall ? z.object(members).catchall(catchall as z.ZodType) : z.object(members);
  bodySchemas.set(about, schema);
  return schema;
}

function ignoredIn(schema: z.core.$ZodType, value: unknown, budget: { values: number }): Path[] {
  if (typeof value !== 'object' || value === null || --budget.values < 0) return [];
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Array.isArray(value) ? [] : ignoredInObject(def, value as Record<string, unknown>, budget); // just checked
    case 'array':
      return Array.isArray(value) ? value.flatMap((item, index) => below(index, def.element, item, budget)) : [];
    case 'record':
      return Object.entries(value).flatMap(([name, member]) => below(name, def.valueType, member, budget));
    case 'union':
      return fewest(
        def.options.filter((option) => accepts(option, value)).map((option) => ignoredIn(option, value, budget)),
      );
    case 'lazy':
      return ignoredIn(def.getter(), value, budget);
    case 'pipe':
      return ignoredIn(def.in, value, budget);
    default:
      return 'innerType' in def ? ignoredIn(def.innerType, value, budget) : [];
  }
}

function ignoredInObject(
  { shape, catchall }: z.core.$ZodObjectDef,
  value: Record<string, unknown>,
  budget: { values: number },
): Path[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const schema = Object.hasOwn(shape, name) ? shape[name] : catchall;
    return schema === undefined ? [[name]] : below(name, schema, member, budget);
  });
}

const below = (name: string | number, schema: z.core.$ZodType, value: unknown, budget: { values: number }): Path[] =>
  ignoredIn(schema, value, budget).map((path) => [name, ...path]);

const fewest = (paths: Path[][]): Path[] => paths.toSorted((a, b) => a.length - b.length)[0] ?? [];

/** Whether an option of a union is for values of this kind, and for this value of its literals, such as `type`. */
function accepts(schema: z.core.$ZodType, value: object): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'array') return Array.isArray(value);
  if (def.type !== 'object') return true;
  if (Array.isArray(value)) return false;
  return Object.entries(def.shape).every(([name, member]) => {
    const { def: expected } = (member as z.core.$ZodTypes)._zod;
    if (expected.type !== 'literal') return true;
    return (expected.values as unknown[]).includes((value as Record<string, unknown>)[name]); // an object, checked above
  });
}
