import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { declarationOf, isNamedEnum } from '../../shapes/named-enum.ts';
import type { JsonSchema } from './json.ts';

/** Converts zod schemas to JSON Schema and collects the named ones. */
export interface Schemas {
  /** Schema of a request. Properties with defaults are optional. */
  input(schema: z.ZodType): JsonSchema;
  /** Schema of a response. */
  output(schema: z.ZodType): JsonSchema;
  /** The named schemas so far. */
  readonly named: Record<string, JsonSchema>;
}

const LOCAL = '#/$defs/';
export const NAMED = '#/components/schemas/';

/** With `isClosed`, schemas allow no undescribed properties. Without, clients must accept new properties. */
export function makeSchemas({ isClosed = false } = {}): Schemas {
  const named: Record<string, JsonSchema> = {};
  const print = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    const printed = z.toJSONSchema(schema, {
      io,
      metadata,
      override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema, { isClosed }), // the same
    });
    const { $schema: _, $defs = {}, ...body } = JSON.parse(JSON.stringify(printed).replaceAll(LOCAL, NAMED));
    for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>)) keep(named, name, definition); // so zod prints them
    return body;
  };
  return { named, input: (schema) => print(schema, 'input'), output: (schema) => print(schema, 'output') };
}

function keep(named: Record<string, JsonSchema>, name: string, schema: JsonSchema): void {
  const existing = named[name];
  if (existing && !isDeepStrictEqual(existing, schema)) throw new Error(`Two schemas have the name ${name}.`);
  named[name] ??= schema;
}

/**
 * Removes zod's patterns for formats, patterns that not every tool can read, and the limits of JavaScript's numbers.
 */
function tidy(schema: JsonSchema, { isClosed }: { isClosed: boolean }): void {
  if (schema.format !== undefined || !isPortable(schema.pattern)) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.propertyNames && Object.keys(schema.propertyNames).join() === 'type') delete schema.propertyNames;
  // The description of a nullable schema belongs to the whole.
  const { anyOf: [first, second] = [] } = schema;
  if (second?.type === 'null' && first?.description !== undefined) schema.description ??= first.description;
  if (!isClosed && schema.additionalProperties === false) delete schema.additionalProperties;
  if (isClosed && schema.properties) schema.additionalProperties ??= false;
}

/** Engines without look-around (RE2), and JavaScript without the flag `u`, read the rest (JSON Schema 2020-12, 6.4). */
const isPortable = (pattern: unknown) => !/\(\?[=!<]|\\[pP]\{|\\u\{/.test(String(pattern));

/** Metadata of schemas, without what is for the graph, and with names for enums and input objects. */
const metadata = Object.assign(z.registry<Record<string, unknown>>(), {
  // biome-ignore lint/suspicious/noExplicitAny: the signature of zod's registries.
  get(schema: z.core.$ZodType): any {
    const { prefix: _, inputName: __, oneOf: ___, isVersioned: ____, scalar, ...meta } = metaOf(schema);
    const id = nameOf(schema);
    return {
      ...(scalar === 'URL' && { format: 'uri' }),
      ...(isNamedEnum(schema) && { description: enumText(schema) }),
      ...meta,
      ...(id !== undefined && { id }),
    };
  },
});

type Meta = Record<string, unknown>;

const metaOf = (schema: z.core.$ZodType): Meta => (z.globalRegistry.get(schema) ?? {}) as Meta;

/** Copies of a schema, for example with another description, refer to the named one. */
function nameOf(schema: z.core.$ZodType): unknown {
  if (isNamedEnum(schema)) return declarationOf(schema)?.name;
  const { inputName, id } = metaOf(schema);
  return inputName !== undefined && inputName !== inheritedName(schema) ? inputName : id;
}

/**
 * The name of the input object that the schema is a copy of, which `meta` does not tell apart from a name of its own.
 */
const inheritedName = ({ _zod: { parent } }: z.core.$ZodType): unknown => parent && metaOf(parent).inputName;

function enumText(schema: z.core.$ZodType): string {
  const { description, values } = declarationOf(schema) ?? { description: '', values: {} };
  return [description, '', ...Object.entries(values).map(([value, text]) => `- \`${value}\`: ${text}`)].join('\n');
}
