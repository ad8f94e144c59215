import { isRecord, type JsonRecord, type JsonValue } from './read-source.ts';
import { canonical } from './specification.ts';

/** Values that a resolved part may have. References beyond it stay. */
const MAX_VALUES = 20_000;

/**
 * Replaces the references of a value by their targets. A reference stays if its target is unknown, contains the reference
 * itself, or is too large. Members beside `$ref` are added to the target (OpenAPI 3.1, Reference Object; JSON Schema
 * 2020-12, 8.2.3.1).
 */
export function resolveReferences(value: JsonValue, part: (ref: string) => JsonValue | undefined): JsonValue {
  let room = MAX_VALUES;
  const resolve = (at: JsonValue, within: readonly string[]): JsonValue => {
    room -= 1;
    if (Array.isArray(at)) return at.map((item) => resolve(item, within));
    if (!isRecord(at)) return at;
    const { $ref, ...beside } = at;
    const ref = typeof $ref === 'string' ? canonical($ref) : undefined;
    if (ref === undefined) return mapped(at, (member) => resolve(member, within));
    const target = within.includes(ref) || room <= 0 ? undefined : part(ref);
    if (target === undefined) return at;
    const found = resolve(target, [...within, ref]);
    return isRecord(found) ? { ...found, ...mapped(beside, (member) => resolve(member, within)) } : found;
  };
  return resolve(value, []);
}

const mapped = (record: JsonRecord, map: (member: JsonValue) => JsonValue): JsonRecord =>
  Object.fromEntries(Object.entries(record).map(([name, member]) => [name, map(member)]));
