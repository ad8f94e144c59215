import { z } from 'zod';
import { type IdPrefix, PREFIXES } from '../ids/ids.ts';

// Parts of the shapes of REST responses. They are not validated at run time: the OpenAPI description is made from them,
// and the tests validate responses against it.

/** The id of a resource. */
export const idShape = (
  prefix: IdPrefix,
  description = `ID of the \`${PREFIXES[prefix]}\`, the same in REST and GraphQL.`,
) => z.string().meta({ prefix, description });

/** A time in UTC with milliseconds. */
export const timeShape = (description: string) => z.iso.datetime().describe(description);

/** An absolute URL. */
export const urlShape = (description: string) => z.string().meta({ format: 'uri', description });

/** The type of a resource. */
export const resourceTypeShape = <const Name extends string>(name: Name) =>
  z.literal(name).describe('Type of the resource.');

/** A JSON object with any properties. */
export const jsonObjectShape = (description: string) => z.record(z.string(), z.unknown()).describe(description);

/** An integer from 0. */
export const countShape = (description: string) => z.int().min(0).describe(description);

/** A resource with a named schema in the OpenAPI description. */
export const namedShape = <Shape extends z.ZodRawShape>(id: string, description: string, members: Shape) =>
  z.object(members).meta({ id, description });

/** A list in REST. */
export const listShape = (
  item: z.ZodType,
  { extra, isUncounted = false }: { extra?: z.ZodObject | undefined; isUncounted?: boolean | undefined } = {},
) =>
  z.object({
    ...extra?.shape,
    next: z
      .object({ page: z.string().describe('Cursor of the next page, to send as `page`.') })
      .optional()
      .describe('Link to the next page. Missing on the last page.'),
    ...(isUncounted ? {} : { count: countShape('Number of items on all pages.') }),
    items: z.array(item).describe('Items of this page.'),
  });
