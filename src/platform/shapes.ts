import { z } from 'zod';
import { type IdPrefix, PREFIXES } from './ids.ts';

// What the shapes of REST's answers are written with. Unlike inputs, they check nothing in the running service: the
// description of the API is printed from them, and the tests hold every answer against it.

/** The id of a resource. */
export const idIn = (prefix: IdPrefix, description = `Its id, the same in the graph (\`${PREFIXES[prefix]}\`).`) =>
  z.string().meta({ prefix, description });

/** A moment, in UTC with milliseconds. */
export const timeIn = (description: string) => z.iso.datetime().describe(description);

/** An absolute address. */
export const addressIn = (description: string) => z.string().meta({ format: 'uri', description });

/** Tells resources apart. */
export const objectIs = <const Name extends string>(name: Name) => z.literal(name).describe('What this is.');

/** Whether the caller may do something, by its name. */
export const mayIn = (description: string) => z.boolean().describe(description);

/** Members that a description does not name: any JSON. */
export const anyMembers = (description: string) => z.record(z.string(), z.unknown()).describe(description);

/** A whole number from 0. */
export const countIn = (description: string) => z.int().min(0).describe(description);

/** What a resource has that counts its changes: answers carry an `ETag`, and reads may be conditional. */
export const versionedShape = <Shape extends z.ZodRawShape>(id: string, description: string, members: Shape) =>
  z.object(members).meta({ id, description, isVersioned: true });

/** A resource of its own name in the description. */
export const namedShape = <Shape extends z.ZodRawShape>(id: string, description: string, members: Shape) =>
  z.object(members).meta({ id, description });

/** REST's list envelope (docs/decisions.md, Lists and pagination). */
export const listShape = (
  item: z.ZodType,
  { beside, isUncounted = false }: { beside?: z.ZodObject | undefined; isUncounted?: boolean | undefined } = {},
) =>
  z.object({
    ...beside?.shape,
    next: z
      .object({ page: z.string().describe('Give it as `page` to read on.') })
      .optional()
      .describe('Absent on the last page.'),
    ...(isUncounted ? {} : { count: countIn('How many there are over all pages.') }),
    items: z.array(item).describe('Those of this page.'),
  });
