import type { Execution } from './execution.ts';
import type { ResponsePosition } from './position.ts';

/** Returns the items of an iterable that is not an array. Null after an error has been reported. */
export function toItems(
  x: Execution,
  position: ResponsePosition,
  value: unknown,
  indexes: readonly number[],
): unknown[] | null {
  try {
    if (typeof value === 'object' && value !== null && Symbol.iterator in value)
      return Array.from(value as Iterable<unknown>);
  } catch (error) {
    return x.reportError(position, error, indexes);
  }
  const { parentType, definition } = position.field;
  const reason = `Expected Iterable, but did not find one for field "${parentType.name}.${definition.name}".`;
  return x.reportError(position, new Error(reason), indexes);
}
