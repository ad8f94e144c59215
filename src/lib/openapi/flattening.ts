import { isJsonRecord, type JsonRecord, type JsonValue } from './read-source.ts';
import { variantsOf } from './references.ts';
import {
  ANY,
  intersection,
  LOWER,
  OPAQUE,
  type SchemaBounds,
  type Shape,
  type ShapeType,
  simplifyShapes,
  UPPER,
} from './shapes.ts';
import { canonical, type Specification } from './specification.ts';

/** Ways to satisfy one schema. Of a schema with more of them, the alternatives are compared as they are written. */
const MAX_SHAPES = 64;

/** Levels of references and combined schemas that are followed for one schema. */
const MAX_LEVELS = 50;

/** Parts that are combined for one schema. What lies beyond accepts everything. */
const MAX_PARTS = 1_000;

/** Flattens the schemas of one specification. Results are kept by the identity of the schema. */
export class Flattening {
  readonly #specification: Specification;
  readonly #shapes = new Map<JsonValue, readonly Shape[]>();
  /** Shapes of parts, unless they depend on where the part is: circles and limits cut them short. */
  readonly #parts = new Map<JsonValue, Shape[]>();
  #cuts = 0;
  #room = 0;

  constructor(specification: Specification) {
    this.#specification = specification;
  }

  /** All ways to satisfy a schema. An absent schema accepts everything, `false` nothing. */
  shapesOf(schema: JsonValue | undefined): readonly Shape[] {
    if (schema === undefined || schema === true) return EVERYTHING;
    if (!isJsonRecord(schema)) return NOTHING;
    const cached = this.#shapes.get(schema);
    if (cached) return cached;
    this.#room = MAX_PARTS;
    const shapes = simplifyShapes(this.#flatten(schema, []));
    this.#shapes.set(schema, shapes);
    return shapes;
  }

  #flatten(schema: JsonValue, within: readonly JsonValue[]): Shape[] {
    if (schema === false) return [];
    if (!isJsonRecord(schema)) return [ANY];
    const cached = this.#parts.get(schema);
    if (cached) return cached;
    if (within.includes(schema) || within.length > MAX_LEVELS || --this.#room < 0) {
      this.#cuts += 1;
      return [ANY];
    }
    const cuts = this.#cuts;
    const shapes = this.#combine(schema, within);
    if (this.#cuts === cuts) this.#parts.set(schema, shapes);
    return shapes;
  }

  #combine(schema: JsonRecord, within: readonly JsonValue[]): Shape[] {
    const inside = [...within, schema];
    let shapes = ownShapes(schema);
    const name = nameOf(schema);
    for (const part of this.#partsOf(schema)) {
      const partShapes = this.#flatten(part, inside);
      // A schema that extends a base is one of its variants.
      shapes = combined(shapes, isExtending(schema) ? partShapes.map(withoutVariants) : partShapes, schema);
    }
    for (const keyword of ['oneOf', 'anyOf'] as const) {
      const alternatives = schema[keyword];
      if (!Array.isArray(alternatives) || alternatives.length === 0) continue;
      shapes = combined(
        shapes,
        alternatives.flatMap((part) => this.#flatten(part, inside)),
        schema,
      );
    }
    const named =
      name === undefined ? shapes : shapes.map((shape) => (shapes.length === 1 ? { ...shape, name } : shape));
    return isNullable(schema) ? withNull(named) : named;
  }

  #partsOf({ $ref, allOf }: JsonRecord): JsonValue[] {
    const ref = typeof $ref === 'string' ? canonical($ref) : undefined;
    const target = ref === undefined ? undefined : this.#specification.part(ref);
    return [...(target === undefined ? [] : [target]), ...(Array.isArray(allOf) ? allOf : [])];
  }
}

const isExtending = ({ allOf, properties }: JsonRecord) =>
  Array.isArray(allOf) && (allOf.length > 1 || properties !== undefined);
const withoutVariants = (shape: Shape): Shape => ({ ...shape, variants: ANY.variants });

/** Authors who list null as a type mean it, even if a combined schema excludes it, as in upgraded OpenAPI 3.0. */
const isNullable = ({ nullable, type }: JsonRecord) =>
  nullable === true || (Array.isArray(type) && type.includes('null'));

const EVERYTHING: readonly Shape[] = [ANY];
const NOTHING: readonly Shape[] = [];
const NULL: Shape = { ...ANY, type: 'null' };

const withNull = (shapes: Shape[]) =>
  shapes.some(({ type }) => type === 'null' || type === 'any') ? shapes : [...shapes, NULL];

/** Shapes that satisfy one of each side. Too many combinations stay as they are written. */
function combined(left: Shape[], right: Shape[], { oneOf = null, anyOf = null, allOf = null }: JsonRecord): Shape[] {
  if (left.length * right.length > MAX_SHAPES) {
    return left.map((shape) => ({ ...shape, opaque: { ...shape.opaque, alternatives: [oneOf, anyOf, allOf] } }));
  }
  return left.flatMap((one) => right.flatMap((other) => intersection(one, other) ?? []));
}

function nameOf({ $ref, title }: JsonRecord): string | undefined {
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  return typeof title === 'string' ? title : undefined;
}

/** Shapes of the keywords beside references and combinations, one for each type. */
function ownShapes(schema: JsonRecord): Shape[] {
  const base = ownRules(schema);
  const values = valuesOf(schema);
  const types = typesOf(schema, values);
  const variants = new Map(variantsOf(schema).map(([value, $ref]) => [value, { $ref }]));
  if (types === undefined) return [{ ...base, ...(values && { values: new Set(values.map(print)) }), variants }];
  // A list of values that leaves out null is meant for the other types.
  return types.flatMap((type): Shape[] => {
    const own = values?.filter((value) => isOfType(value, type));
    if (own && own.length === 0 && type !== 'null') return [];
    const listed = own && own.length > 0 && type !== 'null' ? new Set(own.map(print)) : undefined;
    return [{ ...rulesFor(type, { ...base, type }, schema), values: listed, variants }];
  });
}

const print = (value: JsonValue) => JSON.stringify(value);

function valuesOf(schema: JsonRecord): JsonValue[] | undefined {
  if (schema.const !== undefined) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const;

/** Keywords that tell the type of a schema without one, as authors mean them. */
const TELLING: [ShapeType, readonly string[]][] = [
  [
    'object',
    ['properties', 'required', 'additionalProperties', 'unevaluatedProperties', 'minProperties', 'maxProperties'],
  ],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['minLength', 'maxLength', 'pattern', 'contentMediaType', 'contentEncoding']],
];

function typesOf(schema: JsonRecord, values: JsonValue[] | undefined): ShapeType[] | undefined {
  const types = TYPES.filter(
    (type) => schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type)),
  );
  if (types.length > 0) return types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  if (values) {
    const types = TYPES.filter((type) => values.some((value) => isOfType(value, type)));
    const isWhole = values.every((value) => typeof value !== 'number' || Number.isInteger(value));
    return types.filter((type) => type !== (isWhole ? 'number' : 'integer'));
  }
  const telling = TELLING.find(([, keywords]) => keywords.some((keyword) => keyword in schema));
  return telling && [telling[0]];
}

function isOfType(value: JsonValue, type: ShapeType): boolean {
  if (value === null) return type === 'null';
  if (Array.isArray(value)) return type === 'array';
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/** The rules of a schema that do not depend on its type. */
function ownRules(schema: JsonRecord): Shape {
  return {
    ...ANY,
    isReadOnly: schema.readOnly === true,
    isWriteOnly: schema.writeOnly === true,
    isDeprecated: schema.deprecated === true,
    default: schema.default,
    opaque: Object.fromEntries(OPAQUE.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]]))),
  };
}

/** Adds the rules that concern one type. */
function rulesFor(type: ShapeType, shape: Shape, schema: JsonRecord): Shape {
  if (type === 'integer' || type === 'number') {
    return { ...shape, bounds: numericBounds(schema, type), format: formatOf(schema) };
  }
  if (type === 'string') {
    const patterns = new Set(typeof schema.pattern === 'string' ? [schema.pattern] : []);
    return { ...shape, bounds: bounds(schema, ['minLength', 'maxLength']), patterns, format: formatOf(schema) };
  }
  if (type === 'array') {
    const { items, prefixItems } = schema;
    const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    return {
      ...shape,
      tuple,
      items: Array.isArray(items) ? undefined : items,
      isUnique: schema.uniqueItems === true,
      bounds: bounds(schema, ['minItems', 'maxItems']),
    };
  }
  return type === 'object' ? { ...shape, ...objectRules(schema) } : shape;
}

function objectRules(schema: JsonRecord) {
  const { properties, required, additionalProperties, unevaluatedProperties } = schema;
  const rest = additionalProperties ?? unevaluatedProperties;
  const isClosed =
    rest === false || (isJsonRecord(rest) && isJsonRecord(rest.not) && Object.keys(rest.not).length === 0);
  return {
    properties: new Map(isJsonRecord(properties) ? Object.entries(properties) : []),
    required: new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []),
    isClosed,
    additional: isClosed || rest === true ? undefined : rest,
    bounds: bounds(schema, ['minProperties', 'maxProperties']),
  };
}

/** Bounds that restrict anything. */
function bounds(schema: JsonRecord, names: readonly (keyof SchemaBounds)[]): SchemaBounds {
  const result: SchemaBounds = {};
  for (const name of names) {
    const value = schema[name];
    if (typeof value === 'number' && !(value <= 0 && name.startsWith('min'))) result[name] = value;
  }
  return result;
}

function numericBounds(schema: JsonRecord, type: ShapeType): SchemaBounds {
  const result: SchemaBounds = {};
  for (const name of [...UPPER, ...LOWER]) {
    const value = schema[name];
    if (typeof value !== 'number' || !name.endsWith('imum')) continue;
    if (type === 'integer' && name === 'exclusiveMinimum') result.minimum = Math.floor(value) + 1;
    else if (type === 'integer' && name === 'exclusiveMaximum') result.maximum = Math.ceil(value) - 1;
    else result[name] = value;
  }
  return result;
}

const ALIASES = new Map(Object.entries<string>({ guid: 'uuid', url: 'uri' }));

/** Formats that say how bytes are written restrict no text. */
function formatOf({ format }: JsonRecord): string | undefined {
  if (typeof format !== 'string' || format === 'binary' || format === 'byte' || format === 'base64') return undefined;
  return ALIASES.get(format) ?? format;
}
