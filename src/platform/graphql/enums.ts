import type { z } from 'zod';
import { declarationOf, enumValueName, type NamedEnum } from '../shapes/named-enum.ts';
import { builder } from './builder.ts';

type EnumRef = ReturnType<typeof makeEnum>;

const refs = new Map<string, EnumRef>();

/** The graph type of an enum that was declared with `namedEnum`. */
export function enumType<Values extends Readonly<Record<string, string>>>(
  schema: z.ZodEnum<Values>,
): EnumRef & { $inferType: keyof Values; $inferInput: keyof Values } {
  const declaration = declarationOf(schema);
  if (!declaration) throw new Error('This enum has no name. Declare it with namedEnum().');
  let ref = refs.get(declaration.name);
  if (!ref) {
    ref = makeEnum(declaration);
    refs.set(declaration.name, ref);
  }
  // biome-ignore lint/suspicious/noExplicitAny: the values are those of the schema, which the loop above cannot show.
  return ref as any;
}

function makeEnum({ name, description, values }: NamedEnum<string>) {
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(
      Object.entries(values).map(([value, text]) => [enumValueName(value), { value, description: text }]),
    ),
  });
}
