import SchemaBuilder, { type InterfaceRef, type ObjectRef } from '@pothos/core';
import { GraphQLError, Kind } from 'graphql';
import { EmailAddressResolver, JSONObjectResolver, JSONResolver } from 'graphql-scalars';
import type { Context } from '../context.ts';

export interface SchemaTypes {
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: string; Output: string };
    URL: { Input: string; Output: string };
    EmailAddress: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
    JSONObject: { Input: unknown; Output: unknown };
  };
}

/** The schema under construction. Each room adds its types and fields to it in its `graphql.ts`. */
export const builder = new SchemaBuilder<SchemaTypes>({ defaultFieldNullability: false });

/** The type of a graph's object whose fields read from `Row`. */
export type TypeRef<Row> = ObjectRef<(typeof builder)['$inferSchemaTypes'], Row>;

/** The type of an interface whose objects read from `Row`. */
export type InterfaceOf<Row> = InterfaceRef<(typeof builder)['$inferSchemaTypes'], Row>;

/** The `t` of an object's fields. */
export type FieldsOf<Parent> = PothosSchemaTypes.ObjectFieldBuilder<(typeof builder)['$inferSchemaTypes'], Parent>;

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Times pass through as the text that the database gave; only input is looked at. */
function parseTime(value: unknown): string {
  if (typeof value === 'string' && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value))) {
    return new Date(value).toISOString();
  }
  throw new GraphQLError(`${JSON.stringify(value)} is no time; write it as 2026-01-31T10:00:00Z (ISO 8601).`);
}

builder.scalarType('DateTime', {
  description: 'A point in time in UTC with milliseconds, as ISO 8601 text: `2026-01-31T10:00:00.000Z`.',
  serialize: (value) => value,
  parseValue: parseTime,
  parseLiteral: (node) => parseTime(node.kind === Kind.STRING ? node.value : undefined),
});

builder.scalarType('URL', {
  description: 'An absolute address (RFC 3986).',
  serialize: (value) => value,
  parseValue: parseUrl,
  parseLiteral: (node) => parseUrl(node.kind === Kind.STRING ? node.value : undefined),
});

builder.addScalarType('EmailAddress', EmailAddressResolver, { description: 'An e-mail address (RFC 5322).' });
builder.addScalarType('JSON', JSONResolver, { description: 'Any JSON value (RFC 8259).' });
builder.addScalarType('JSONObject', JSONObjectResolver, { description: 'A JSON object (RFC 8259).' });

function parseUrl(value: unknown): string {
  if (typeof value === 'string' && URL.canParse(value)) return value;
  throw new GraphQLError(`${JSON.stringify(value)} is no absolute address such as https://example.com/page.`);
}

builder.queryType({ description: 'Everything that can be read.' });
builder.subscriptionType({
  description: 'What can be followed as it happens, by server-sent events: `Accept: text/event-stream`.',
});
builder.mutationType({
  description: 'Everything that can be changed. Each takes one `input` and answers with what it changed.',
});
