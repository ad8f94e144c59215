/** Makes an object from the values of its properties, in the order of their names. */
export type ObjectMaker = (values: readonly unknown[]) => Record<PropertyKey, unknown>;

/**
 * The function that makes objects with these properties. It is compiled, so that all its objects have one hidden class
 * and are allocated at once: adding properties one by one allocates them several times.
 */
export function objectMaker(names: readonly string[]): ObjectMaker {
  // Names are escaped. A literal `__proto__` would set the prototype.
  const members = names.map(
    (name, place) => `${name === '__proto__' ? `["__proto__"]` : JSON.stringify(name)}: values[${place}]`,
  );
  return new Function(`return (values) => ({ ${members.join(', ')} });`)() as ObjectMaker; // by its text
}
