import { GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, type GraphQLLeafType, GraphQLString } from 'graphql';
import type { Execution } from './execution.ts';
import type { SizeEstimate } from './plan.ts';
import type { ResponsePosition } from './position.ts';

/** Name of the extension that marks custom scalars whose `serialize` returns strings unchanged. */
export const RETURNS_STRINGS = 'returnsStrings';

/** JavaScript expressions that are true if a built-in scalar serializes `v` to itself. */
const UNCHANGED = new Map<GraphQLLeafType, string>([
  [GraphQLString, `typeof v === 'string'`],
  [GraphQLID, `typeof v === 'string'`],
  [GraphQLBoolean, `typeof v === 'boolean'`],
  [GraphQLInt, `typeof v === 'number' && (v | 0) === v`],
  [GraphQLFloat, `typeof v === 'number' && v - v === 0`],
]);

/**
 * JavaScript expression that is true if `v` is serialized to itself. Undefined if `serialize` must always be called.
 */
export const unchangedIf = (type: GraphQLLeafType): string | undefined =>
  UNCHANGED.get(type) ?? (type.extensions[RETURNS_STRINGS] ? `typeof v === 'string'` : undefined);

/** JavaScript expression for the number of characters of a `v` that is serialized to itself. */
export const charactersOf = (type: GraphQLLeafType): string =>
  unchangedIf(type) === UNCHANGED.get(GraphQLString) ? 'v.length' : '0';

/** A leaf at a position, and how the size of its values is estimated. */
export interface LeafField {
  readonly position: ResponsePosition;
  readonly type: GraphQLLeafType;
  readonly size: SizeEstimate;
}

/** Serializes a value that is not null. Reports the error if it is not valid. */
export function serialize(
  x: Execution,
  { position, type, size }: LeafField,
  value: unknown,
  indexes: readonly number[],
) {
  try {
    if (value instanceof Error) throw value;
    const serialized = type.serialize(value);
    if (serialized == null)
      throw new Error(`The type ${type.name} cannot represent the value of ${position.field.key}.`);
    x.size += size.of(serialized);
    return serialized;
  } catch (error) {
    return x.reportError(position, error, indexes);
  }
}
