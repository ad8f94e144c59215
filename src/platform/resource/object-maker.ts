/** Makes an object from the values of its properties, in the order of their names. */
export type ObjectMaker = (values: readonly unknown[]) => Record<PropertyKey, unknown>;

/**
 * The function that makes objects with these properties, which the code declares. It is compiled, so that all its objects
 * have one hidden class and are allocated at once: adding properties one by one allocates them several times.
 */
export function objectMaker(names: readonly string[]): ObjectMaker {
  const members = names.map((name, place) => `${JSON.stringify(name)}: values[${place}]`);
  return new Function(`return (values) => ({ ${members.join(', ')} });`)() as ObjectMaker; // by its text
}
