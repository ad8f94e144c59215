import { z } from 'zod';
import { parse } from '../../../platform/operation/operation.ts';
import { multilineText } from '../../../platform/shapes/text.ts';

/** A schema of claims that `parseClaimsSchema` has accepted. */
export type ClaimsSchema = z.output<typeof claimsSchema>;

/** The schema of one claim. */
export type ClaimSchema = z.output<typeof primitive> | ArraySchema | ObjectSchema;

interface ArraySchema {
  type: 'array';
  description: string;
  items: z.output<typeof primitive>;
}

interface ObjectSchema {
  type: 'object';
  description: string;
  properties: Record<string, ClaimSchema>;
  additionalProperties: false;
}

/** Maximum size of a schema, in characters of JSON. */
const MAX_SCHEMA = 50_000;

/** Maximum nesting of claims that are objects. */
const MAX_DEPTH = 8;

const description = multilineText(0, 1_000);

const primitive = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('boolean'), description }),
  z.strictObject({ type: z.literal('string'), enum: z.array(multilineText(0, 256)).max(500).optional(), description }),
  z.strictObject({ type: z.literal('number'), description }),
]);

const claimName = multilineText(1, 100);

const claims = (): z.ZodType<Record<string, ClaimSchema>> =>
  z.record(
    claimName,
    z.lazy(() => claim),
  );

const claim: z.ZodType<ClaimSchema> = z.discriminatedUnion('type', [
  ...primitive.options,
  z.strictObject({ type: z.literal('array'), description, items: primitive }),
  z.strictObject({
    type: z.literal('object'),
    description,
    properties: claims(),
    additionalProperties: z.literal(false),
  }),
]) as unknown as z.ZodType<ClaimSchema>; // the recursion hides the type

const unsigned = z.strictObject({
  type: z.literal('object'),
  description: z.literal('Unsigned claims of the site visitor.'),
  properties: claims(),
  additionalProperties: z.literal(false),
});

const claimsSchema = z.strictObject({
  $schema: z.literal('http://json-schema.org/draft-07/schema#').optional(),
  type: z.literal('object'),
  properties: z
    .object({ unsigned: unsigned.optional() })
    .catchall(z.lazy(() => claim))
    .check(({ value, issues }) => {
      for (const name of Object.keys(value)) {
        if (claimName.safeParse(name).success) continue;
        issues.push({ code: 'custom', path: [name], message: 'names of claims have 1 to 100 characters', input: name });
      }
    }),
  additionalProperties: z.literal(false),
});

/** Validates a schema of claims. The paths of issues begin with `jsonSchema`. */
export const parseClaimsSchema = (value: unknown): ClaimsSchema =>
  parse(z.object({ jsonSchema: claimsSchema }), { jsonSchema: value }).jsonSchema;

export const claimsSchemaObject = z
  .record(z.string(), z.unknown())
  .refine((value) => !isTooDeep(value), `must be nested at most ${MAX_DEPTH} claims deep`)
  .refine((value) => !hasProto(value), 'must not contain the property name "__proto__", which is not allowed')
  .refine((value) => JSON.stringify(value).length <= MAX_SCHEMA, `must be at most ${MAX_SCHEMA} characters of JSON`)
  .meta({
    scalar: 'JSONObject',
    description:
      'JSON Schema (draft 7) of the claims: an object with `properties`, each a boolean, number, string (with or without ' +
      '`enum`), array or object with a `description`. Unsigned claims are the properties of `unsigned`. ' +
      '`additionalProperties` is false.',
  });

/** Schemas of zod skip members of this name, so that values are searched for them. */
const hasProto = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([name, member]) => name === '__proto__' || hasProto(member));

/** A claim is two levels deep: its name below `properties`. */
function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth > 2 * MAX_DEPTH || Object.values(value).some((member) => isTooDeep(member, depth + 1));
}
