import { z } from 'zod';

/** A closed set of values with a name and descriptions: one declaration for zod, the graph and REST. */
export interface NamedEnum<Value extends string> {
  readonly name: string;
  readonly description: string;
  readonly values: Readonly<Record<Value, string>>;
}

/** Copies of a schema, for example with another description, inherit its declaration. */
const declarations = z.registry<NamedEnum<string>>();

/**
 * Declares an enum by its values in REST and the database. The graph has them in capitals (`share-link` is
 * `SHARE_LINK`). Every value needs a description.
 */
export function namedEnum<const Value extends string>(
  name: string,
  description: string,
  values: Record<Value, string>,
): z.ZodEnum<{ [V in Value]: V }> {
  const keys = Object.keys(values) as Value[]; // its keys
  const schema = z.enum(keys);
  declarations.add(schema, { name, description, values });
  return schema;
}

/** The declaration of a schema made by `namedEnum`, or of a copy with another description. */
export const declarationOf = (schema: z.core.$ZodType): NamedEnum<string> | undefined => declarations.get(schema);

/** Whether `namedEnum` made this very schema, and not one that it was copied from. */
export const isNamedEnum = (schema: z.core.$ZodType): boolean => declarations.has(schema);

/** The name of a value in the graph: `share-link` is `SHARE_LINK`, `internalDocs` is `INTERNAL_DOCS`. */
export const enumValueName = (value: string) =>
  value
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])(?=[A-Z][a-z])/g, '$1_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
