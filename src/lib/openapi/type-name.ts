import { isJsonRecord, type JsonValue } from './read-source.ts';

/** Levels of nested types that are named. */
const MAX_LEVELS = 3;

/** Values of an enumeration that are named. */
const MAX_VALUES = 10;

/** A short name of the type of a schema: `string (date-time)`, `array of Pet`, `"a" or "b"`. */
export function typeName(schema: JsonValue | undefined, depth = 0): string {
  if (!isJsonRecord(schema) || depth > MAX_LEVELS) return 'any';
  const { $ref, type, format, items } = schema;
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return alternatives(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(choices)) return alternatives(choices.map((choice) => choiceName(choice, depth + 1)));
  if (type === 'array') return `array of ${typeName(items, depth + 1)}`;
  const named = Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : undefined;
  if (named === undefined) return isJsonRecord(schema.properties) || schema.allOf ? 'object' : 'any';
  return typeof format === 'string' ? `${named} (${format})` : named;
}

/** Objects that a value can be one of are told apart by their titles. */
function choiceName(schema: JsonValue, depth: number): string {
  const name = typeName(schema, depth);
  return name === 'object' && isJsonRecord(schema) && typeof schema.title === 'string' ? schema.title : name;
}

function alternatives(names: string[]): string {
  const unique = [...new Set(names)];
  const text = unique.slice(0, MAX_VALUES).join(' or ');
  return unique.length > MAX_VALUES ? `${text} or others` : text;
}
