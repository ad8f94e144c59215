import { z } from 'zod';
import { ApiError } from '../errors/errors.ts';

const MAX_MEMBERS = 200;

/** Rejects a URL with more query parameters than any route accepts. Its length is limited with the headers (16 kB). */
export function boundQueryString(url: string): void {
  let members = 1;
  for (let at = url.indexOf('&'); at >= 0; at = url.indexOf('&', at + 1)) members++;
  if (members > MAX_MEMBERS)
    throw new ApiError('BAD_USER_INPUT', `The query string has more than ${MAX_MEMBERS} parameters.`);
}

/**
 * Converts query parameters to the types of a schema: numbers, booleans, and arrays from repeated keys. Drops unknown
 * parameters. Does not validate.
 */
export function coerceQuery(schema: z.ZodObject, query: Record<string, string | string[]>): Record<string, unknown> {
  const coerced: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query)) {
    const member = schema.shape[name];
    if (member) coerced[name] = coerce(unwrap(member as z.ZodType), value); // members of a zod shape
  }
  return coerced;
}

function coerce(schema: z.ZodType, value: string | string[]): unknown {
  if (schema instanceof z.ZodArray) {
    const element = unwrap(schema.element as z.ZodType); // an array's element is a schema
    return (Array.isArray(value) ? value : [value]).map((item) => coerce(element, item));
  }
  const single = Array.isArray(value) ? value.at(-1) : value;
  if (schema instanceof z.ZodBoolean) return booleanOf(single);
  if (schema instanceof z.ZodNumber) return single?.trim() === '' ? Number.NaN : Number(single);
  return single;
}

/** Other values are rejected by the schema, after the permission check. */
function booleanOf(value: string | undefined): unknown {
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap() as z.ZodType); // the wrapped schema
  }
  return schema;
}
