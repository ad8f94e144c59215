import { z } from 'zod';

/** A closed set of values with a name and descriptions: one declaration for zod, the graph and REST. */
export interface NamedEnum<Value extends string> {
  readonly name: string;
  readonly description: string;
  readonly values: Readonly<Record<Value, string>>;
}

const declarations = new WeakMap<z.core.$ZodType, NamedEnum<string>>();

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
  declarations.set(schema, { name, description, values });
  return schema;
}

/** The declaration of a schema made by `namedEnum`, or of a copy with another description. */
export function declarationOf(schema: z.core.$ZodType): NamedEnum<string> | undefined {
  const { parent } = schema._zod;
  return declarations.get(schema) ?? (parent && declarationOf(parent));
}

/** The name of a value in the graph: `share-link` is `SHARE_LINK`, `internalDocs` is `INTERNAL_DOCS`. */
export const enumValueName = (value: string) =>
  value
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])(?=[A-Z][a-z])/g, '$1_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
