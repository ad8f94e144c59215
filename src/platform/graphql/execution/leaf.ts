import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLLeafType,
  GraphQLString,
  isEnumType,
} from 'graphql';
import { weigh } from '../../json-weight.ts';
import type { Execution } from './execution.ts';
import type { Site } from './site.ts';

/** Marks scalars whose strings are returned as they are, as the value of an extension. */
export const RETURNS_STRINGS = 'returnsStrings';

/** JavaScript expressions of `v` that are true if a built-in scalar serializes it to itself. */
const UNCHANGED = new Map<GraphQLLeafType, string>([
  [GraphQLString, `typeof v === 'string'`],
  [GraphQLID, `typeof v === 'string'`],
  [GraphQLBoolean, `typeof v === 'boolean'`],
  [GraphQLInt, `typeof v === 'number' && (v | 0) === v`],
  [GraphQLFloat, `typeof v === 'number' && v - v === 0`],
]);

/** When a value of the type is returned as it is. Undefined if its serialization must always be called. */
export const unchangedIf = (type: GraphQLLeafType): string | undefined =>
  UNCHANGED.get(type) ?? (type.extensions[RETURNS_STRINGS] ? `typeof v === 'string'` : undefined);

/** Serializes a value that is not null. Undefined if it is a promise, a function or not valid. */
export function serializerOf(type: GraphQLLeafType): (value: unknown, x: Execution) => unknown {
  if (isEnumType(type)) {
    const names = new Map(type.getValues().map(({ value, name }) => [value, name]));
    return (value) => names.get(value);
  }
  return (value, x) => {
    if (typeof value === 'function' || value instanceof Promise) return undefined;
    try {
      const serialized: unknown = type.serialize(value);
      x.weight += weigh(serialized);
      return serialized ?? undefined;
    } catch {
      return undefined;
    }
  };
}

/** JavaScript expression of the characters of `v`, if it is of the type and returned as it is. */
export const charactersOf = (type: GraphQLLeafType): string =>
  unchangedIf(type) === UNCHANGED.get(GraphQLString) ? 'v.length' : '0';

/** Serializes a value that is not null. Notes the error if it is not valid. */
export function serialize(x: Execution, site: Site, type: GraphQLLeafType, value: unknown, indexes: readonly number[]) {
  try {
    if (value instanceof Error) throw value;
    const serialized = type.serialize(value);
    if (serialized == null) throw new Error(`The type ${type.name} cannot represent the value of ${site.field.key}.`);
    x.weight += weigh(serialized);
    return serialized;
  } catch (error) {
    return x.fail(site, error, indexes);
  }
}
