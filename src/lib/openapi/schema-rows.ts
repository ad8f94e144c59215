import { isJsonRecord, type JsonRecord, type JsonValue } from './read-source.ts';
import { examplesOf } from './schema-examples.ts';
import { typeName } from './type-name.ts';

/** A property of a schema, as a row of a table. */
export interface SchemaPropertyRow {
  /** With the names of the objects around it: `owner.name`, `tags[].id`. Of a variant: `(Cat).meows`. */
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
  /** Example values as JSON, texts without quotes. */
  examples: string[];
}

/** Levels of nested objects, and rows of one table. What lies beyond is left out. */
const MAX_LEVELS = 3;
const MAX_ROWS = 100;

/**
 * The properties of a resolved schema and of the objects in it. Empty for anything but objects and lists of objects.
 */
export function schemaRows(schema: JsonValue | undefined): SchemaPropertyRow[] {
  const rows: SchemaPropertyRow[] = [];
  addSchema(rows, schema, { prefix: '', level: 1 });
  return rows.slice(0, MAX_ROWS);
}

/** Position of rows: the names around them, and their depth. */
interface Place {
  prefix: string;
  level: number;
}

function addSchema(rows: SchemaPropertyRow[], schema: JsonValue | undefined, place: Place): void {
  const { prefix, level } = place;
  if (!isJsonRecord(schema) || level > MAX_LEVELS || rows.length >= MAX_ROWS) return;
  addSchema(rows, schema.items, { prefix: prefix === '' ? '' : `${prefix}[]`, level });
  const base = propertiesOf(schema, 0);
  addProperties(rows, base, place);
  const alternatives = alternativesOf(schema);
  if (alternatives.length === 1) addSchema(rows, alternatives[0], place);
  else
    for (const [index, variant] of alternatives.entries()) {
      const additions = withoutBase(propertiesOf(variant, 0), base);
      if (Object.keys(additions.properties).length === 0) continue;
      const name = `${prefix}(${textOf(variant.title) || `variant ${index + 1}`})`;
      rows.push({ name, type: 'object', isRequired: false, description: variantText(schema, variant), examples: [] });
      addProperties(rows, additions, { prefix: name, level });
    }
}

function addProperties(
  rows: SchemaPropertyRow[],
  { properties, required }: Properties,
  { prefix, level }: Place,
): void {
  for (const [name, property] of Object.entries(properties)) {
    if (rows.length >= MAX_ROWS) return;
    const full = prefix === '' ? name : `${prefix}.${name}`;
    rows.push({ name: full, isRequired: required.has(name), ...describe(property) });
    addSchema(rows, property, { prefix: full, level: level + 1 });
  }
}

/** A value without the name that it has around it. */
export function describe(schema: JsonValue | undefined): Pick<SchemaPropertyRow, 'type' | 'description' | 'examples'> {
  const description = isJsonRecord(schema) ? textOf(schema.description) : '';
  return { type: typeName(schema), description, examples: examplesOf(schema) };
}

interface Properties {
  properties: JsonRecord;
  required: Set<JsonValue>;
}

/** The properties of a schema and of those that it combines by `allOf`. */
function propertiesOf(schema: JsonRecord, depth: number): Properties {
  const properties: JsonRecord = { ...(isJsonRecord(schema.properties) ? schema.properties : {}) };
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  for (const part of Array.isArray(schema.allOf) && depth < MAX_LEVELS ? schema.allOf : []) {
    if (!isJsonRecord(part)) continue;
    const shape = propertiesOf(part, depth + 1);
    Object.assign(properties, shape.properties);
    for (const name of shape.required) required.add(name);
  }
  return { properties, required };
}

/** The objects that a value can be one of. Null is no object. */
const alternativesOf = ({ oneOf, anyOf }: JsonRecord): JsonRecord[] =>
  [oneOf, anyOf]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter(isJsonRecord)
    .filter(({ type }) => type !== 'null');

const withoutBase = ({ properties, required }: Properties, base: Properties): Properties => ({
  properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !Object.hasOwn(base.properties, name))),
  required,
});

/** Says by which value of the discriminator a variant is chosen. */
function variantText({ discriminator }: JsonRecord, { title, ...variant }: JsonRecord): string {
  const description = textOf(variant.description);
  const { propertyName, mapping } = isJsonRecord(discriminator) ? discriminator : {};
  if (typeof propertyName !== 'string') return description;
  const entries = Object.entries(isJsonRecord(mapping) ? mapping : {});
  const values = entries.filter(([, target]) => textOf(target).split('/').at(-1) === title).map(([value]) => value);
  const condition = `If ${propertyName} is ${(values.length > 0 ? values : [textOf(title)]).join(' or ')}.`;
  return [condition, description].filter((text) => text !== '').join(' ');
}

const textOf = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '');
