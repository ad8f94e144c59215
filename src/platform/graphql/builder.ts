import SchemaBuilder, { type InterfaceRef, type ObjectRef } from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import { GraphQLError, Kind } from 'graphql';
import { EmailAddressResolver, JSONObjectResolver, JSONResolver } from 'graphql-scalars';
import type { Context } from '../context.ts';
import { badInput, unauthenticated } from '../errors.ts';
import { DEFAULT_PAGE_SIZE, MAX_CONNECTION_SIZE } from '../paging/relay.ts';
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
    clientMutationIdInputOptions: { description: 'Comes back in the payload as it was sent.' },
    clientMutationIdFieldOptions: { description: 'The `clientMutationId` of the input.' },
    cursorType: 'String',
    brandLoadedObjects: false,
    encodeGlobalID: (_typename, id) => String(id),
    decodeGlobalID: (id) => ({ typename: typenameOf(id), id }),
    idFieldOptions: { description: 'Identifies the object over the whole service; the same string as in REST.' },
    nodeTypeOptions: {
      description:
        'Anything that has an id of its own and can be read again by it (Relay, Global Object Identification).',
      resolveType: (value) => {
        const { __typename, id } = value as { id: string; __typename?: string }; // what `registerNode` finds
        return __typename ?? typenameOf(id);
      },
    },
    nodeQueryOptions: {
      description: 'Any object by its id. Null when there is none, or none that the viewer may see.',
      args: { id: { description: 'The id of any object of the graph.' } },
      resolve: async (_root, { id }, ctx, _info, find) => foundFor(ctx, id.typename === '' ? null : await find(id)),
    },
    nodesQueryOptions: {
      description: `Several objects by their ids, in the order asked; null for each that the viewer may not see. At most ${MAX_NODES}.`,
      args: { ids: { description: `Ids of any objects, at most ${MAX_NODES}.` } },
      resolve: async (_root, { ids }, ctx, _info, find) => {
        if (ids.length > MAX_NODES)
          throw badInput(['ids'], `Ask for at most ${MAX_NODES} ids at once, not ${ids.length}.`);
        // The plugin reads its own list, and finds null for null.
        for (const [index, { typename }] of ids.entries()) if (typename === '') ids[index] = null as never;
        return (await find(ids)).map((found) => foundFor(ctx, found));
      },
    },
    pageInfoTypeOptions: {
      description: 'Where a page of a connection stands (GraphQL Cursor Connections Specification, "PageInfo").',
    },
    hasNextPageFieldOptions: { description: 'Whether items follow. Exact when paging with `first`.' },
    hasPreviousPageFieldOptions: { description: 'Whether items come before. Exact when paging with `last`.' },
    startCursorFieldOptions: {
      description: 'Cursor of the first item; null on an empty page. Give it as `before`.',
    },
    endCursorFieldOptions: { description: 'Cursor of the last item; null on an empty page. Give it as `after`.' },
    edgesFieldOptions: { description: 'The items with their cursors.' },
    nodesOnConnection: { description: 'The items without their cursors.' },
    pageInfoFieldOptions: { description: 'Where this page stands.' },
    nodeFieldOptions: { description: 'The item.' },
    cursorFieldOptions: { description: 'The place of the item in this list with these arguments. Opaque.' },
    firstArgOptions: {
      description: `How many items from the start, 1 to ${MAX_CONNECTION_SIZE}. Default ${DEFAULT_PAGE_SIZE}.`,
    },
    afterArgOptions: { description: 'Only items after this cursor of the same list.' },
    lastArgOptions: {
      description: `How many items from the end, 1 to ${MAX_CONNECTION_SIZE}. Not together with \`first\`.`,
    },
    beforeArgOptions: { description: 'Only items before this cursor of the same list. Goes with `last`.' },
  },
});

/** Null for what is absent or hidden; without a token that is a refusal, which tells nothing. */
function foundFor<Found>(ctx: Context, found: Found): Found | null {
  if (!found && ctx.actor.kind === 'anonymous') throw unauthenticated();
  return found ?? null;
}

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
