/** Key of the JSON text of a body. Not part of the JSON. */
const PRINTED = Symbol('printed');

interface Printed {
  [PRINTED]?: string;
}

/** Keeps the JSON of a body that had to be printed before it is sent, so that it is not printed again. */
export function notePrinted(body: unknown, text: string): void {
  if (typeof body === 'object' && body !== null) (body as Printed)[PRINTED] = text;
}

/** The JSON of a body, if it was printed before. */
export const printedOf = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null ? (body as Printed)[PRINTED] : undefined;
