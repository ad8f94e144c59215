import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { IdPrefix } from '../ids.ts';

/** Reads a value from the row behind a resource. A promise comes from a loader, so that lists are batched. */
export type Read<Row, Value> = (row: Row, ctx: Context) => Value | Promise<Value>;

/** The scalars of the graph that fields use. */
export type ScalarName =
  | 'ID'
  | 'String'
  | 'Int'
  | 'Float'
  | 'Boolean'
  | 'DateTime'
  | 'URL'
  | 'EmailAddress'
  | 'JSON'
  | 'JSONObject';

/** The type of a value on both transports. `Value` is what a field of the type reads. */
export type FieldType<Value = unknown> = TypeDescription & { readonly reads?: Value };

export type TypeDescription =
  | { readonly kind: 'scalar'; readonly scalar: ScalarName; readonly shape: z.ZodType }
  | { readonly kind: 'enum'; readonly schema: z.ZodEnum<Readonly<Record<string, string>>> }
  // The maker of a field ties its value to the row of the resource.
  // biome-ignore lint/suspicious/noExplicitAny: rows differ from resource to resource.
  | { readonly kind: 'object'; readonly resource: () => Resource<any> }
  // Items of a list of references are null where the caller may not see them.
  | { readonly kind: 'list'; readonly of: TypeDescription; readonly hasNulls?: boolean };

/** How a field appears on one transport. */
export interface Appearance<Row> {
  /** Its name there; undefined: the name it is declared by. */
  readonly name?: string | undefined;
  readonly type: TypeDescription;
  /** A value of null or undefined is null in the graph, and absent in REST unless `isNullInRest`. */
  readonly isOptional: boolean;
  readonly isNullInRest?: boolean;
  readonly read: Read<Row, unknown>;
}

/** A field of a resource; null where a transport does not have it. */
export interface Field<Row> {
  readonly description: string;
  readonly graph: Appearance<Row> | null;
  readonly rest: Appearance<Row> | null;
}

/** A resource apart from its fields. */
export interface ResourceAbout {
  /** Name of the type in the graph, and of the schema in the description of REST unless `schemaName` gives another. */
  readonly name: string;
  readonly schemaName?: string;
  readonly description: string;
  /** The value of `object` in REST. A part of other resources has none. */
  readonly object?: string;
  /** Prefix of its ids. It then is a node of the graph, and has `id` on both transports. */
  readonly node?: IdPrefix;
  /** It counts its changes: `version` in the graph, `ETag` in REST. */
  readonly isVersioned?: boolean;
}

/**
 * The one description of what a resource shows. The graph's type, REST's serializer and the schema in the description
 * of REST are made from it.
 */
export interface Resource<Row> extends ResourceAbout {
  /** In the order of declaration; those of `extendResource` last. */
  readonly fields: ReadonlyMap<string, Field<Row>>;
}
