import type { Execution } from './execution.ts';
import type { Site } from './site.ts';

/** The items of a list that is not an array. Null if the value is no list, which is noted as an error. */
export function itemsOf(x: Execution, site: Site, value: unknown, indexes: readonly number[]): unknown[] | null {
  try {
    if (typeof value === 'object' && value !== null && Symbol.iterator in value)
      return Array.from(value as Iterable<unknown>);
  } catch (error) {
    return x.fail(site, error, indexes);
  }
  const { parentType, definition } = site.field;
  const reason = `Expected Iterable, but did not find one for field "${parentType.name}.${definition.name}".`;
  return x.fail(site, new Error(reason), indexes);
}
