import type { z } from 'zod';
import type { Context } from '../context/context.ts';
import type { IdPrefix } from '../ids/ids.ts';

/** Reads a value from the row of a resource. Promises come from loaders, so that lists are batched. */
export type ReadValue<Row, Value> = (row: Row, ctx: Context) => Value | Promise<Value>;

/** The scalars of the graph that fields can have. */
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

/** The type of a value on both transports. `Value` is the type that the field's `read` returns. */
export type FieldType<Value = unknown> = TypeDescription & { readonly reads?: Value };

export type TypeDescription =
  | { readonly kind: 'scalar'; readonly scalar: ScalarName; readonly shape: z.ZodType }
  | { readonly kind: 'enum'; readonly schema: z.ZodEnum<Readonly<Record<string, string>>> }
  // The functions of `makeFields` check that the value fits the row type.
  // biome-ignore lint/suspicious/noExplicitAny: resources have different row types.
  | { readonly kind: 'object'; readonly resource: () => Resource<any> }
  // Items of a list of references are null if the caller cannot see them.
  | { readonly kind: 'list'; readonly of: TypeDescription; readonly hasNulls?: boolean };

/** A field on one transport. */
export interface TransportField<Row> {
  /** Name on this transport. Default: the declared name. */
  readonly name?: string | undefined;
  readonly type: TypeDescription;
  /** Null and undefined are null in the graph, and absent in REST unless `isNullInRest`. */
  readonly isOptional: boolean;
  readonly isNullInRest?: boolean;
  readonly read: ReadValue<Row, unknown>;
}

/** A field of a resource. Null on transports that do not have it. */
export interface Field<Row> {
  readonly description: string;
  readonly graph: TransportField<Row> | null;
  readonly rest: TransportField<Row> | null;
}

/** A resource without its fields. */
export interface ResourceAbout {
  /** Name of the type in the graph, and of the OpenAPI schema unless `schemaName` is set. */
  readonly name: string;
  readonly schemaName?: string;
  readonly description: string;
  /** Value of the property `object` in REST. Undefined for parts of other resources. */
  readonly object?: string;
  /** Prefix of the ids. Makes the resource a node of the graph, with `id` on both transports. */
  readonly node?: IdPrefix;
  /** The resource has a version: `version` in the graph, `ETag` in REST. */
  readonly isVersioned?: boolean;
}

/** Whether a field of the graph with this name is selected, of these rows or below. REST shows all fields. */
export type Wants = (name: string) => boolean;

/**
 * Loads what the fields of a list of rows read, so that they need no promises (`Loader.peek`) and no statements of
 * their own. Only for speed: fields must work without it. Lists in REST show all fields of each row: without it, a list
 * of 100 spaces takes four times as long. In the graph, connections are as fast without it.
 */
export type Preload<Row> = (ctx: Context, rows: readonly Row[], wants?: Wants) => Promise<unknown>;

/** The description of a resource, from which its graph type, REST serializer and OpenAPI schema are made. */
export interface Resource<Row> extends ResourceAbout {
  /** In order of declaration, followed by those of `extendResource`. */
  readonly fields: ReadonlyMap<string, Field<Row>>;
  /** Called before rows are presented in REST. */
  readonly preload?: Preload<Row>;
}
