import type { Context } from '../../context/context.ts';
import type { Room } from '../../http/limits/answer-memory.ts';
import type { TransportCapabilities } from './choose-operation.ts';
import type { GraphQLAnswer } from './outcome.ts';
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
  readonly sent: { answer?: GraphQLAnswer };
  /** Returns the parameters that Fastify parsed. Throws if there are none. */
  readonly params: () => GraphQLParams;
  /** Client of an event stream. Missing if the client does not accept one. */
  readonly follower?: Follower;
}

/** The client of an event stream. */
export interface Follower {
  /** A new context with a newly authenticated actor. Throws if the token is no longer valid. */
  renew(): Promise<Context>;
  /** Key for counting streams: the user or the client address. */
  readonly account: string;
  /** Memory for what is sent and not yet received. */
  readonly room: Room;
  /** Aborted when the client disconnects. */
  readonly left: AbortSignal;
  /** Aborted when the client disconnects or the service stops. */
  readonly signal: AbortSignal;
  /** Id of the last event that the client received. */
  readonly lastEventId?: string;
  /** Resolved by `begin`, when the events that a subscription delivers are decided: all later ones. */
  readonly begun: Promise<void>;
  begin(): void;
}
