/** Key of the JSON text of a body. Not part of the JSON. */
const SERIALIZED = Symbol('serialized');

interface Serialized {
  [SERIALIZED]?: string;
}

/** Keeps the JSON of a body that had to be serialized before it is sent, so that it is not serialized again. */
export function cacheSerialized(body: unknown, text: string): void {
  if (typeof body === 'object' && body !== null) (body as Serialized)[SERIALIZED] = text;
}

/** The JSON of a body, if it was serialized before. */
export const serializedOf = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null ? (body as Serialized)[SERIALIZED] : undefined;
