import type { InputFieldMap, InputRef } from '@pothos/core';
import { z } from 'zod';
import { declarationOf, enumValueName } from '../shapes/named-enum.ts';
import { builder } from './builder.ts';
import { enumType } from './enums.ts';

/** Metadata of zod schemas that the graph uses besides the description. */
export interface InputMeta {
  description?: string;
  /** Name of the input type of an object. By default, it is derived from the path. */
  inputName?: string;
  /** Exactly one property must be set: `@oneOf`. */
  oneOf?: boolean;
  /** A custom scalar instead of the schema's own type. */
  scalar?: 'DateTime' | 'URL' | 'EmailAddress' | 'JSON' | 'JSONObject';
  /** Prefix of an id. The graph type is `ID`. */
  prefix?: string;
  /** The member is deprecated. Names the replacement. */
  deprecationReason?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: types of the graph are looked up by name, beyond what generics can follow.
type AnyRef = any;

const inputTypes = new Map<string, { schema: z.ZodObject; ref: InputRef<object> }>();

/** Makes the input fields of a zod object. Throws at startup for schemas that it does not support. */
export function inputFields(schema: z.ZodObject, path: string, field: AnyRef): InputFieldMap {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, member]) => {
      const { inner, isRequired, description, deprecationReason, defaultText } = unwrap(member as z.ZodType); // a shape's values
      const text = [description, defaultText].filter(Boolean).join(' ');
      if (!text) throw new Error(`${path}.${name} has no description.`);
      const type = inputTypeOf(inner, `${path}${name[0]?.toUpperCase()}${name.slice(1)}`);
      return [name, field.field({ type, required: isRequired, description: text, deprecationReason })];
    }),
  );
}

function inputTypeOf(schema: z.ZodType, path: string): AnyRef {
  const meta = (schema.meta() ?? {}) as InputMeta;
  if (meta.scalar) return meta.scalar;
  if (meta.prefix) return 'ID';
  if (schema instanceof z.ZodEnum && declarationOf(schema))
    return enumType(schema as z.ZodEnum<Record<string, string>>);
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return 'String';
  if (schema instanceof z.ZodBoolean) return 'Boolean';
  if (schema instanceof z.ZodNumber) return schema.isInt ? 'Int' : 'Float';
  if (schema instanceof z.ZodArray) return [inputTypeOf(unwrap(schema.element as z.ZodType).inner, path)];
  if (schema instanceof z.ZodObject) return objectInput(schema, meta.inputName ?? `${path}Input`, meta);
  throw new Error(`${path}: ${schema.constructor.name} has no input type in the graph. Set .meta({ scalar }).`);
}

function objectInput(schema: z.ZodObject, name: string, { description, oneOf }: InputMeta): AnyRef {
  const entry = inputTypes.get(name);
  if (entry && entry.schema !== schema) throw new Error(`Two input objects have the name ${name}. Set inputName.`);
  if (entry) return entry.ref;
  if (!description) throw new Error(`The input object ${name} has no description.`);
  const ref = builder.inputRef<object>(name);
  inputTypes.set(name, { schema, ref });
  return ref.implement({
    description,
    isOneOf: oneOf ?? false,
    fields: (t: AnyRef) => inputFields(schema, name.replace(/Input$/, ''), t),
  } as AnyRef);
}

/** Removes `.optional()`, `.nullable()` and `.default()` and returns what they declared. */
export function unwrap(schema: z.ZodType) {
  let inner = schema;
  let isRequired = true;
  let description = schema.meta()?.description;
  let deprecationReason = (schema.meta() as InputMeta | undefined)?.deprecationReason;
  let defaultText = '';
  for (;;) {
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
      isRequired = false;
      if (inner instanceof z.ZodDefault) defaultText = `Default ${defaultOf(inner)}.`;
      inner = inner.unwrap() as z.ZodType; // the wrapped schema
    } else if (inner instanceof z.ZodPipe) {
      inner = inner.in as z.ZodType; // the input side of the pipe
    } else {
      return { inner, isRequired, description, deprecationReason, defaultText };
    }
    description ??= inner.meta()?.description;
    deprecationReason ??= (inner.meta() as InputMeta | undefined)?.deprecationReason;
  }
}

/** Values of enums are named as in the graph. */
function defaultOf({ def: { defaultValue, innerType } }: z.ZodDefault): string {
  return innerType instanceof z.ZodEnum ? `\`${enumValueName(String(defaultValue))}\`` : JSON.stringify(defaultValue);
}

/** Makes the arguments of a field from a zod object. */
// biome-ignore lint/suspicious/noExplicitAny: Pothos' field builder of any parent.
export function argumentsOf(schema: z.ZodObject, path: string, t: any) {
  const field = ({ type, required, description }: { type: unknown; required: boolean; description: string }) =>
    t.arg({ type, required, description });
  return inputFields(schema, path, { field });
}
