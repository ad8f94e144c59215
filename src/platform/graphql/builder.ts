import SchemaBuilder, { type InterfaceRef, type ObjectRef } from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import { GraphQLError, Kind } from 'graphql';
import { EmailAddressResolver, JSONObjectResolver, JSONResolver } from 'graphql-scalars';
import { RETURNS_STRINGS } from '../../lib/graphql-executor/index.ts';
import type { Context } from '../context/context.ts';
import { badInput, unauthenticated } from '../errors/errors.ts';
import { MAX_CONNECTION_SIZE, sizeDescriptions } from '../paging/relay.ts';
import { typenameOf } from './global-ids.ts';

export interface SchemaTypes {
  Context: Context;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: string; Output: string };
    URL: { Input: string; Output: string };
    EmailAddress: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
    JSONObject: { Input: unknown; Output: unknown };
  };
}

const MAX_NODES = 100;

/**
 * The schema under construction. Each module adds its types and fields to it in its `graphql.ts`. `Node`, `node` and
 * `nodes`, connections, edges, `PageInfo` and mutations are the Relay plugin's; `node.ts`, `connection.ts` and
 * `mutation.ts` make them from operations.
 */
export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [RelayPlugin],
  defaultFieldNullability: false,
  relay: {
    clientMutationId: 'optional',
    clientMutationIdInputOptions: { description: 'Any value of your choice. Returned unchanged in the payload.' },
    clientMutationIdFieldOptions: { description: 'The `clientMutationId` of the input.' },
    cursorType: 'String',
    brandLoadedObjects: false,
    encodeGlobalID: (_typename, id) => String(id),
    decodeGlobalID: (id) => ({ typename: typenameOf(id), id }),
    idFieldOptions: {
      description:
        'ID of the object, unique across the service. REST uses the same ID, except for members and for objects in a revision (`…-at-rev_…`).',
    },
    nodeTypeOptions: {
      description:
        'An object with a globally unique ID, by which `node` and `nodes` return it (Relay, Global Object Identification).',
      resolveType: (value) => {
        const { __typename, id } = value as { id: string; __typename?: string }; // what `registerNode` finds
        return __typename ?? typenameOf(id);
      },
    },
    nodeQueryOptions: {
      description: 'Gets an object by its ID. Null if the object does not exist or you cannot see it.',
      args: { id: { description: 'ID of an object of any type.' } },
      resolve: async (_root, { id }, ctx, _info, find) => foundFor(ctx, id.typename === '' ? null : await find(id)),
    },
    nodesQueryOptions: {
      description: `Gets up to ${MAX_NODES} objects by their IDs, in the order of the IDs. Null for each object that does not exist or that you cannot see.`,
      args: { ids: { description: `IDs of up to ${MAX_NODES} objects of any types.` } },
      resolve: async (_root, { ids }, ctx, _info, find) => {
        if (ids.length > MAX_NODES)
          throw badInput(['ids'], `At most ${MAX_NODES} IDs are allowed, but ${ids.length} were sent.`, 'TOO_MANY');
        // The plugin returns null for null ids.
        for (const [index, { typename }] of ids.entries()) if (typename === '') ids[index] = null as never;
        return (await find(ids)).map((node) => foundFor(ctx, node));
      },
    },
    pageInfoTypeOptions: {
      description: 'Position of a page in a connection (GraphQL Cursor Connections Specification, "PageInfo").',
    },
    hasNextPageFieldOptions: {
      description: 'Whether there are items after this page. Exact when paging with `first`.',
    },
    hasPreviousPageFieldOptions: {
      description: 'Whether there are items before this page. Exact when paging with `last`.',
    },
    startCursorFieldOptions: {
      description: 'Cursor of the first item, to use as `before`. Null if the page is empty.',
    },
    endCursorFieldOptions: { description: 'Cursor of the last item, to use as `after`. Null if the page is empty.' },
    edgesFieldOptions: { description: 'Items of the page with their cursors.' },
    nodesOnConnection: { description: 'Items of the page without cursors.' },
    pageInfoFieldOptions: { description: 'Position of the page in the list.' },
    nodeFieldOptions: { description: 'Item at this cursor.' },
    cursorFieldOptions: {
      description: 'Opaque cursor of the item. Only valid for the same list with the same arguments.',
    },
    firstArgOptions: { description: sizeDescriptions(MAX_CONNECTION_SIZE).first },
    afterArgOptions: { description: 'Only items after this cursor.' },
    lastArgOptions: { description: sizeDescriptions(MAX_CONNECTION_SIZE).last },
    beforeArgOptions: { description: 'Only items before this cursor. Use it with `last`.' },
  },
});

/** Null for absent and hidden objects. UNAUTHENTICATED without a token, so that it does not reveal what exists. */
function foundFor<Found>(ctx: Context, node: Found): Found | null {
  if (!node && ctx.actor.kind === 'anonymous') throw unauthenticated();
  return node ?? null;
}

/** An object type of the graph whose fields read from `Row`. */
export type TypeRef<Row> = ObjectRef<(typeof builder)['$inferSchemaTypes'], Row>;

/** An interface type of the graph whose fields read from `Row`. */
export type InterfaceOf<Row> = InterfaceRef<(typeof builder)['$inferSchemaTypes'], Row>;

/** The field builder `t` of an object type. */
export type FieldsOf<Parent> = PothosSchemaTypes.ObjectFieldBuilder<(typeof builder)['$inferSchemaTypes'], Parent>;

/** The field builder `t` of an interface. */
export type InterfaceFieldsOf<Parent> = PothosSchemaTypes.InterfaceFieldBuilder<
  (typeof builder)['$inferSchemaTypes'],
  Parent
>;

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Validates a time of an input. Times of outputs are returned as the database gives them. */
function parseTime(value: unknown): string {
  if (typeof value === 'string' && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value))) {
    return new Date(value).toISOString();
  }
  throw new GraphQLError(
    `${JSON.stringify(value)} is not a valid time. Use a format such as 2026-01-31T10:00:00Z (ISO 8601).`,
  );
}

builder.scalarType('DateTime', {
  description: 'A time in UTC with milliseconds, in ISO 8601 format: `2026-01-31T10:00:00.000Z`.',
  serialize: (value) => value,
  extensions: { [RETURNS_STRINGS]: true },
  parseValue: parseTime,
  parseLiteral: (node) => parseTime(node.kind === Kind.STRING ? node.value : undefined),
});

builder.scalarType('URL', {
  description: 'An absolute URL (RFC 3986).',
  serialize: (value) => value,
  extensions: { [RETURNS_STRINGS]: true },
  parseValue: parseUrl,
  parseLiteral: (node) => parseUrl(node.kind === Kind.STRING ? node.value : undefined),
});

builder.addScalarType('EmailAddress', EmailAddressResolver, { description: 'An email address (RFC 5322).' });
builder.addScalarType('JSON', JSONResolver, { description: 'Any JSON value (RFC 8259).' });
builder.addScalarType('JSONObject', JSONObjectResolver, { description: 'A JSON object (RFC 8259).' });

function parseUrl(value: unknown): string {
  if (typeof value === 'string' && URL.canParse(value)) return value;
  throw new GraphQLError(
    `${JSON.stringify(value)} is not a valid URL. Use an absolute URL such as https://example.com/page.`,
  );
}

builder.queryType({ description: 'Root type of queries.' });
builder.subscriptionType({
  description:
    'Root type of subscriptions. They are delivered as server-sent events. Requests must send `Accept: text/event-stream`.',
});
builder.mutationType({
  description: 'Root type of mutations. Each takes an `input` and returns the changed objects.',
});
