/** Whether the members of two objects are identical, or the values themselves if they are none. */
export function isSame(known: unknown, given: unknown): boolean {
  if (known === given) return true;
  if (!isObject(known) || !isObject(given)) return false;
  const names = Object.keys(given);
  return names.length === Object.keys(known).length && names.every((name) => known[name] === given[name]);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
