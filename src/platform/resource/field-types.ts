import { z } from 'zod';
import { type IdPrefix, PREFIXES } from '../ids/ids.ts';
import type { FieldType, Resource, ScalarName } from './field.ts';

const scalar = <Value>(name: ScalarName, shape: z.ZodType): FieldType<Value> => ({
  kind: 'scalar',
  scalar: name,
  shape,
});

/** The types of fields. */
export const types = {
  string: scalar<string>('String', z.string()),
  int: scalar<number>('Int', z.int()),
  /** An integer from 0. */
  count: scalar<number>('Int', z.int().min(0)),
  /** An integer from 1. */
  ordinal: scalar<number>('Int', z.int().min(1)),
  float: scalar<number>('Float', z.number()),
  boolean: scalar<boolean>('Boolean', z.boolean()),
  /** A time in ISO 8601, as read from the database. */
  time: scalar<string>('DateTime', z.iso.datetime()),
  /** An absolute URL. */
  url: scalar<string>('URL', z.string().meta({ format: 'uri' })),
  email: scalar<string>('EmailAddress', z.string()),
  /** Any JSON value. `shape` describes it for OpenAPI. */
  json: <Value = unknown>(shape: z.ZodType = z.unknown()): FieldType<Value> => scalar('JSON', shape),
  jsonObject: <Value = Record<string, unknown>>(
    shape: z.ZodType = z.record(z.string(), z.unknown()),
  ): FieldType<Value> => scalar('JSONObject', shape),
  uuid: scalar<string>('ID', z.uuid()),
  /** The id of another resource or, without a prefix, of an object that is not a node. */
  id: (prefix?: IdPrefix): FieldType<string> =>
    scalar('ID', prefix ? z.string().meta({ prefix, description: `ID of a \`${PREFIXES[prefix]}\`.` }) : z.string()),
  enum: <Values extends Readonly<Record<string, string>>>(schema: z.ZodEnum<Values>): FieldType<keyof Values> => ({
    kind: 'enum',
    schema,
  }),
  /** Another resource, included in full on both transports. */
  object: <Row>(of: () => Resource<Row>): FieldType<Row> => ({ kind: 'object', resource: of }),
  list: <Value>(of: FieldType<Value>): FieldType<readonly Value[]> => ({ kind: 'list', of }),
};
