import { isRecord, type JsonRecord, type JsonValue } from './read-source.ts';

/** A property of a schema, as a row of a table. */
export interface SchemaRow {
  /** With the names of the objects around it: `owner.name`, `tags[].id`. */
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

/** Levels of nested objects, and rows of one table. What lies beyond is left out. */
const MAX_LEVELS = 3;
const MAX_ROWS = 100;

/** Values of an enumeration that are named. */
const MAX_VALUES = 10;

/** The properties of a resolved schema and of the objects in it. Empty for anything but objects and lists of objects. */
export function schemaRows(schema: JsonValue | undefined): SchemaRow[] {
  const rows: SchemaRow[] = [];
  const add = (value: JsonValue | undefined, prefix: string, level: number): void => {
    if (!isRecord(value) || level > MAX_LEVELS || rows.length >= MAX_ROWS) return;
    if (isRecord(value.items)) add(value.items, prefix === '' ? '' : `${prefix}[]`, level);
    const { properties, required } = shapeOf(value, 0);
    for (const [name, property] of Object.entries(properties)) {
      if (rows.length >= MAX_ROWS) return;
      const full = prefix === '' ? name : `${prefix}.${name}`;
      const description = isRecord(property) && typeof property.description === 'string' ? property.description : '';
      rows.push({ name: full, type: typeName(property), isRequired: required.has(name), description });
      add(property, full, level + 1);
    }
  };
  add(schema, '', 1);
  return rows;
}

/** The properties of a schema and of those that it combines by `allOf`. */
function shapeOf(schema: JsonRecord, depth: number): { properties: JsonRecord; required: Set<JsonValue> } {
  const properties: JsonRecord = { ...(isRecord(schema.properties) ? schema.properties : {}) };
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  for (const part of Array.isArray(schema.allOf) && depth < MAX_LEVELS ? schema.allOf : []) {
    if (!isRecord(part)) continue;
    const shape = shapeOf(part, depth + 1);
    Object.assign(properties, shape.properties);
    for (const name of shape.required) required.add(name);
  }
  return { properties, required };
}

/** A short name of the type of a schema: `string (date-time)`, `array of Pet`, `"a" or "b"`. */
export function typeName(schema: JsonValue | undefined, depth = 0): string {
  if (!isRecord(schema) || depth > MAX_LEVELS) return 'any';
  const { $ref, type, format, items } = schema;
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return alternatives(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(choices)) return alternatives(choices.map((choice) => typeName(choice, depth + 1)));
  if (type === 'array') return `array of ${typeName(items, depth + 1)}`;
  const named = Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : undefined;
  if (named === undefined) return isRecord(schema.properties) || schema.allOf ? 'object' : 'any';
  return typeof format === 'string' ? `${named} (${format})` : named;
}

function alternatives(names: string[]): string {
  const unique = [...new Set(names)];
  const shown = unique.slice(0, MAX_VALUES).join(' or ');
  return unique.length > MAX_VALUES ? `${shown} or others` : shown;
}
