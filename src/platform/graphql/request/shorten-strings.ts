import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';

/** Longer than any value of an enum. */
const MAX_LENGTH = 1_000;

/**
 * Returns a value with long strings cut where the type is an enum or a scalar that accepts no such string. Coercion
 * rejects them, and prints the whole value in its message, which takes 0.5 s for 10 MB. Visits each value once, and
 * copies only the objects and lists that contain such strings. Recursion is as deep as the value, which `JSON_LIMITS`
 * bounds.
 */
export function shortenStrings(value: unknown, inputType: GraphQLInputType): unknown {
  const type = getNullableType(inputType);
  if (typeof value === 'string') {
    return value.length > MAX_LENGTH && rejectsText(type) ? value.slice(0, MAX_LENGTH) : value;
  }
  if (isListType(type)) {
    if (!Array.isArray(value)) return shortenStrings(value, type.ofType);
    return changed(value, (item) => shortenStrings(item, type.ofType));
  }
  if (!isInputObjectType(type) || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  let copy: Record<string, unknown> | undefined;
  const members = value as Record<string, unknown>;
  for (const field of Object.values(type.getFields())) {
    if (!Object.hasOwn(members, field.name)) continue;
    const shorter = shortenStrings(members[field.name], field.type);
    if (shorter === members[field.name]) continue;
    copy ??= { ...members };
    copy[field.name] = shorter;
  }
  return copy ?? value;
}

const TEXTUAL = new Set(['String', 'ID']);

const rejectsText = (type: GraphQLInputType) =>
  isEnumType(type) || (isScalarType(type) && isSpecifiedScalarType(type) && !TEXTUAL.has(type.name));

function changed(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const copy = items.map(change);
  return copy.some((item, index) => item !== items[index]) ? copy : items;
}
