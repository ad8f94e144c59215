import { isJsonRecord, type JsonRecord, type JsonValue } from './read-source.ts';
import { variantsOf } from './references.ts';
import { canonical } from './specification.ts';

/** Values that a resolved part may have. References beyond it stay. */
const MAX_VALUES = 20_000;

/** Levels of a resolved part below which references stay: a chain of them would exceed the stack of what reads it. */
const MAX_LEVELS = 200;

type Part = (ref: string) => JsonValue | undefined;

/**
 * Replaces the references of a value by their targets. A reference stays if its target is unknown or contains the
 * reference itself, or if the result would be too large or too deep. Members beside `$ref` are added to the target
 * (OpenAPI 3.1, Reference Object; JSON Schema 2020-12, 8.2.3.1).
 */
export const resolveReferences = (value: JsonValue, part: Part): JsonValue => resolved(value, part, (target) => target);

/**
 * The same for readers: schemas that are referred to have their name as title, and bases whose discriminator maps
 * variants have these as `oneOf`.
 */
export const resolveForReaders = (value: JsonValue, part: Part): JsonValue =>
  resolved(value, part, (target, { ref, within }) => {
    const name = /^#\/components\/schemas\/([^/]+)$/.exec(ref)?.[1];
    if (!isJsonRecord(target) || name === undefined) return target;
    const variants = new Set(variantsOf(target).flatMap(([, variant]) => canonical(variant) ?? []));
    // A variant contains its base.
    const isBase = variants.size > 0 && !within.some((outer) => variants.has(outer));
    return { title: name, ...target, ...(isBase && { oneOf: [...variants].map(($ref) => ({ $ref })) }) };
  });

type Complete = (target: JsonValue, at: { ref: string; within: readonly string[] }) => JsonValue;

function resolved(value: JsonValue, part: Part, complete: Complete): JsonValue {
  let room = MAX_VALUES;
  const resolve = (at: JsonValue, within: readonly string[], level: number): JsonValue => {
    room -= 1;
    const resolveBelow = (below: JsonValue) => resolve(below, within, level + 1);
    if (Array.isArray(at)) return at.map(resolveBelow);
    if (!isJsonRecord(at)) return at;
    const { $ref, ...siblings } = at;
    const ref = typeof $ref === 'string' ? canonical($ref) : undefined;
    if (ref === undefined) return mapped(at, resolveBelow);
    const isCut = within.includes(ref) || room <= 0 || level >= MAX_LEVELS;
    const target = isCut ? undefined : part(ref);
    if (target === undefined) return at;
    const content = resolve(complete(target, { ref, within }), [...within, ref], level + 1);
    return isJsonRecord(content) ? { ...content, ...mapped(siblings, resolveBelow) } : content;
  };
  return resolve(value, [], 0);
}

const mapped = (record: JsonRecord, map: (member: JsonValue) => JsonValue): JsonRecord =>
  Object.fromEntries(Object.entries(record).map(([name, member]) => [name, map(member)]));
