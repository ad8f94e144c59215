import type { z } from 'zod';
import type { Context } from '../context/context.ts';
import type { IdPrefix } from '../ids/ids.ts';
import type { Field, FieldType, ReadValue, Resource, TransportField } from './field.ts';
import { types } from './field-types.ts';

/** Options of all fields. */
export interface FieldOptions {
  /** Name in the graph if it differs, or false if the field is not in the graph. */
  graph?: string | false;
  /** Name in REST if it differs, or false if the field is not in REST. */
  rest?: string | false;
  /**
   * The field is always present in REST. In the graph it can be null, since the caller may not be able to see the other
   * resource.
   */
  isRequired?: boolean;
}

/** Options of a field that refers to another resource: an object in the graph, its id in REST. */
export interface ReferenceOptions<Row, Target> extends FieldOptions {
  /** Prefix of the ids. */
  prefix: IdPrefix;
  id: ReadValue<Row, string | null | undefined>;
  load(row: Row, ctx: Context): Target | null | undefined | Promise<Target | null | undefined>;
}

/**
 * Options of a field that refers to several resources: objects in the graph (null if the caller cannot see them), ids
 * in REST.
 */
export interface ReferencesOptions<Row, Target> extends FieldOptions {
  prefix: IdPrefix;
  ids: ReadValue<Row, readonly string[]>;
  load(row: Row, ctx: Context): Promise<readonly (Target | null)[]>;
}

/**
 * Functions that make the fields of a resource over `Row`. Each takes the description and a function that reads the
 * value from the row.
 */
export function makeFields<Row>() {
  const field =
    <Value>(type: FieldType<Value>, isOptional: boolean, isNullInRest = false) =>
    (description: string, read: ReadValue<Row, Value>, options: FieldOptions = {}): Field<Row> =>
      appearing(description, { type, isOptional, isNullInRest, read }, options);

  const ofType = <Value>(type: FieldType<Value>) =>
    Object.assign(field(type, false), {
      /** The value can be missing: null in the graph, absent in REST. */
      optional: field(type as FieldType<Value | null | undefined>, true),
      /** The value can be null on both transports. */
      nullable: field(type as FieldType<Value | null>, true, true),
    });

  return {
    string: ofType(types.string),
    int: ofType(types.int),
    count: ofType(types.count),
    ordinal: ofType(types.ordinal),
    float: ofType(types.float),
    boolean: ofType(types.boolean),
    time: ofType(types.time),
    url: ofType(types.url),
    email: ofType(types.email),
    id: (prefix?: IdPrefix) => ofType(types.id(prefix)),
    /** The id of an object that is not a node: a UUID. */
    uuid: ofType(types.uuid),
    json: <Value>(shape?: z.ZodType) => ofType(types.json<Value>(shape)),
    jsonObject: <Value>(shape?: z.ZodType) => ofType(types.jsonObject<Value>(shape)),
    enum: <Values extends Readonly<Record<string, string>>>(schema: z.ZodEnum<Values>) => ofType(types.enum(schema)),
    object: <Target>(of: () => Resource<Target>) => ofType(types.object(of)),
    list: <Value>(of: FieldType<Value>) => ofType(types.list(of)),
    reference: <Target>(
      of: () => Resource<Target>,
      description: string,
      { prefix, id, load, isRequired = false, graph, rest }: ReferenceOptions<Row, Target>,
    ): Field<Row> => ({
      description,
      graph: named(graph, { type: types.object(of), isOptional: true, read: load }),
      rest: named(rest, { type: types.id(prefix), isOptional: !isRequired, read: id }),
    }),
    references: <Target>(
      of: () => Resource<Target>,
      description: string,
      { prefix, ids, load, graph, rest }: ReferencesOptions<Row, Target>,
    ): Field<Row> => ({
      description,
      graph: named(graph, {
        type: { kind: 'list', of: types.object(of), hasNulls: true },
        isOptional: false,
        read: load,
      }),
      rest: named(rest, { type: types.list(types.id(prefix)), isOptional: false, read: ids }),
    }),
    /** A separate field for each transport. */
    apart: (of: { graph: Field<Row>; rest: Field<Row> }): Field<Row> => ({
      description: of.graph.description,
      graph: of.graph.graph,
      rest: of.rest.rest,
    }),
  };
}

export type FieldMaker<Row> = ReturnType<typeof makeFields<Row>>;

function appearing<Row>(
  description: string,
  appearance: TransportField<Row>,
  { graph, rest, isRequired = false }: FieldOptions,
): Field<Row> {
  const inRest = { ...appearance, isOptional: appearance.isOptional && !isRequired };
  return { description, graph: named(graph, appearance), rest: named(rest, inRest) };
}

const named = <Row>(name: string | false | undefined, appearance: TransportField<Row>): TransportField<Row> | null =>
  name === false ? null : { ...appearance, name };
