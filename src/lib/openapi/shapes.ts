import type { JsonRecord, JsonValue } from './read-source.ts';

/** The JSON type of a shape. `any` accepts every value. */
export type ShapeType = 'any' | 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

/** Bounds by the names of JSON Schema. Exclusive bounds of integers are written as inclusive ones. */
export type SchemaBounds = Partial<Record<(typeof UPPER)[number] | (typeof LOWER)[number], number>>;

/** Limits where a lower value accepts less, and limits where a higher value does. */
export const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
export const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const;

/** Keywords that are compared as they are written, because the values that they accept cannot be compared. */
export const OPAQUE = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'patternProperties',
  'multipleOf',
] as const;

/**
 * One way to satisfy a schema: a single type with all rules that apply to it. References are followed, `allOf` is
 * merged, and alternatives are shapes of their own, so that schemas that accept the same have the same shapes.
 */
export interface Shape {
  type: ShapeType;
  /** Name of the last reference that led here, or the title. */
  name: string | undefined;
  /** Accepted values as JSON. */
  values: ReadonlySet<string> | undefined;
  bounds: SchemaBounds;
  patterns: ReadonlySet<string>;
  format: string | undefined;
  isUnique: boolean;
  properties: ReadonlyMap<string, JsonValue>;
  required: ReadonlySet<string>;
  /** Whether properties that have no name here are rejected. */
  isClosed: boolean;
  /** Schema of properties that have no name here. */
  additional: JsonValue | undefined;
  items: JsonValue | undefined;
  /** Schemas of the first items. */
  tuple: readonly JsonValue[];
  opaque: JsonRecord;
  isReadOnly: boolean;
  isWriteOnly: boolean;
  isDeprecated: boolean;
  default: JsonValue | undefined;
  /** Schemas of variants by the value of the discriminator, of a base that does not list its variants itself. */
  variants: ReadonlyMap<string, JsonValue>;
}

export const ANY: Shape = {
  type: 'any',
  name: undefined,
  values: undefined,
  bounds: {},
  patterns: new Set(),
  format: undefined,
  isUnique: false,
  properties: new Map(),
  required: new Set(),
  isClosed: false,
  additional: undefined,
  items: undefined,
  tuple: [],
  opaque: {},
  isReadOnly: false,
  isWriteOnly: false,
  isDeprecated: false,
  default: undefined,
  variants: new Map(),
};

/** The shape of values that satisfy both shapes. Undefined if no value does. */
export function intersection(left: Shape, right: Shape): Shape | undefined {
  const type = commonType(left.type, right.type);
  if (type === undefined) return undefined;
  const values = left.values && right.values ? left.values.intersection(right.values) : (left.values ?? right.values);
  if (values?.size === 0) return undefined;
  return {
    type,
    name: right.name ?? left.name,
    values,
    bounds: tighter(left.bounds, right.bounds),
    patterns: left.patterns.union(right.patterns),
    format: right.format ?? left.format,
    isUnique: left.isUnique || right.isUnique,
    properties: mergedProperties(left.properties, right.properties),
    required: left.required.union(right.required),
    isClosed: left.isClosed || right.isClosed,
    additional: conjunction(left.additional, right.additional),
    items: conjunction(left.items, right.items),
    tuple: left.tuple.length > 0 ? left.tuple : right.tuple,
    opaque: { ...left.opaque, ...right.opaque },
    isReadOnly: left.isReadOnly || right.isReadOnly,
    isWriteOnly: left.isWriteOnly || right.isWriteOnly,
    isDeprecated: left.isDeprecated || right.isDeprecated,
    default: right.default ?? left.default,
    variants: new Map([...left.variants, ...right.variants]),
  };
}

function commonType(left: ShapeType, right: ShapeType): ShapeType | undefined {
  if (left === right || right === 'any') return left;
  if (left === 'any') return right;
  const isNumeric = (left === 'integer' && right === 'number') || (left === 'number' && right === 'integer');
  return isNumeric ? 'integer' : undefined;
}

function tighter(left: SchemaBounds, right: SchemaBounds): SchemaBounds {
  const merged: SchemaBounds = { ...left };
  for (const name of UPPER) {
    const value = right[name];
    if (value !== undefined) merged[name] = Math.min(value, left[name] ?? value);
  }
  for (const name of LOWER) {
    const value = right[name];
    if (value !== undefined) merged[name] = Math.max(value, left[name] ?? value);
  }
  return merged;
}

function mergedProperties(left: Shape['properties'], right: Shape['properties']): Map<string, JsonValue> {
  const merged = new Map(left);
  for (const [name, schema] of right) merged.set(name, conjunction(merged.get(name), schema) ?? schema);
  return merged;
}

const conjunction = (left: JsonValue | undefined, right: JsonValue | undefined): JsonValue | undefined =>
  left === undefined || left === right ? right : right === undefined ? left : { allOf: [left, right] };

/**
 * Merges shapes that differ only in their values, as unions of constants do, and drops those that an unrestricted shape
 * of their type accepts anyway.
 */
export function simplifyShapes(shapes: readonly Shape[]): Shape[] {
  const any = shapes.find((shape) => shape.type === 'any' && isUnrestricted(shape));
  if (any) return [any];
  const result: Shape[] = [];
  for (const [type, same] of Map.groupBy(shapes, (shape) => shape.type)) {
    const open = same.find(isUnrestricted);
    if (open && type !== 'object' && type !== 'array') {
      result.push(open);
      continue;
    }
    const listed = same.filter(isListOfValues);
    const [first] = listed;
    if (first) result.push({ ...first, values: new Set(listed.flatMap(({ values = [] }) => [...values])) });
    result.push(...same.filter((shape) => !isListOfValues(shape)));
  }
  return result;
}

const isUnrestricted = (shape: Shape) =>
  shape.values === undefined && shape.format === undefined && isFreeOfRules(shape);

const isListOfValues = (shape: Shape) => shape.values !== undefined && isFreeOfRules(shape);

const isFreeOfRules = ({ bounds, patterns, isUnique, properties, required, isClosed, ...rest }: Shape) =>
  Object.keys(bounds).length === 0 &&
  patterns.size === 0 &&
  !isUnique &&
  properties.size === 0 &&
  required.size === 0 &&
  !isClosed &&
  rest.additional === undefined &&
  rest.items === undefined &&
  rest.tuple.length === 0 &&
  Object.keys(rest.opaque).length === 0;
