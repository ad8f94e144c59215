/** A property of an object that is made of a row. Undefined is omitted. */
export interface Property<Row, Ctx> {
  readonly name: string;
  read(row: Row, ctx: Ctx): unknown;
}

/** Makes an object of a row. The result is a promise if properties are. */
export type Presenter<Row, Ctx> = (row: Row, ctx: Ctx) => PresentedObject | Promise<PresentedObject>;

/** An object that a resource shows, with its fields by name. */
export type PresentedObject = Record<PropertyKey, unknown>;

/**
 * The function that makes objects with these properties, which the code declares. It is compiled, so that all its objects
 * have one hidden class and are allocated at once, and so that the properties are read by direct calls.
 */
export function compiledPresenter<Row, Ctx>(properties: readonly Property<Row, Ctx>[]): Presenter<Row, Ctx> {
  const readers = properties.map(({ read }) => read);
  const names = properties.map(({ name }) => JSON.stringify(name));
  const places = properties.map((_, place) => place);
  const text = `
    const [${places.map((place) => `read${place}`)}] = readers;
    const whenReady = (values) => Promise.all(values).then((ready) => ({ ${names.map((name, place) => `${name}: ready[${place}]`)} }));
    return (row, ctx) => {
      ${places.map((place) => `const value${place} = read${place}(row, ctx);`).join('\n')}
      if (${places.map((place) => `value${place} instanceof Promise`).join(' || ') || 'false'}) {
        return whenReady([${places.map((place) => `value${place}`)}]);
      }
      return { ${names.map((name, place) => `${name}: value${place}`)} };
    };`;
  return new Function('readers', text)(readers) as Presenter<Row, Ctx>; // by its text
}
