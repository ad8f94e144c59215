/** Of a value besides its characters. */
export const VALUE_WEIGHT = 10;

/** Approximate number of characters that a value prints as. Stops counting at `max`. */
export function weigh(value: unknown, max = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'string') return VALUE_WEIGHT + value.length;
  return typeof value === 'object' && value !== null ? weighMembers(value, max) : VALUE_WEIGHT;
}

/** Strings are weighed in place: a call for each would take a third of the time. */
function weighMembers(value: object, max: number): number {
  let weight = VALUE_WEIGHT;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && weight < max; index++) weight += weigh(value[index], max - weight);
  } else if (isWrittenByMembers(value)) {
    for (const name in value) {
      const member = value[name];
      weight += name.length;
      if (typeof member === 'object' && member !== null) weight += weighMembers(member, max - weight);
      else weight += typeof member === 'string' ? VALUE_WEIGHT + member.length : VALUE_WEIGHT;
      if (weight >= max) return weight;
    }
  }
  return weight;
}

/** Whether JSON has the members of a value: not if it has `toJSON`, as dates do. */
export const isWrittenByMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { toJSON?: unknown }).toJSON !== 'function';

/** Key of the weight of a value that was counted while the value was made. Not part of the JSON. */
const WEIGHT = Symbol('weight');

/** Keeps the weight of an object that was counted while it was made. */
export function storeWeight(of: object, weight: number): void {
  Object.defineProperty(of, WEIGHT, { value: weight });
}

/** The weight that was stored, if there is one. */
export const storedWeight = (value: unknown): number | undefined =>
  typeof value === 'object' && value !== null ? (value as { [WEIGHT]?: number })[WEIGHT] : undefined;
