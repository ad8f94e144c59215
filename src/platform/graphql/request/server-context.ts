import type { Context } from '../../context/context.ts';
import type { StreamClient } from '../../context/stream-client.ts';
import type { TransportCapabilities } from './choose-operation.ts';
import type { GraphQLResponse } from './outcome.ts';
import type { GraphQLParams } from './params.ts';

/** The context of a request for Yoga's plugins. Yoga copies each of its properties for every request: one is enough. */
export interface ServerContext {
  readonly exchange: Exchange;
}

/** A request of GraphQL with its response. */
export interface Exchange {
  readonly ctx: Context;
  readonly transport: TransportCapabilities;
  /** The response, which the route writes. */
  readonly sent: { response?: GraphQLResponse };
  /** Returns the parameters that Fastify parsed. Throws if there are none. */
  readonly params: () => GraphQLParams;
  /** Client of an event stream. Missing if the client does not accept one. */
  readonly streamClient?: StreamClient;
}
