import type { Context } from '../context.ts';
import type { Ways } from './choose-operation.ts';
import type { GraphQLParams } from './params.ts';
import type { GraphQLAnswer } from './run-graphql.ts';

/** What accompanies a request through Yoga, whose plugins read it. */
export interface ServerContext {
  readonly ctx: Context;
  /** What the request's method and `Accept` allow. */
  readonly ways: Ways;
  /** Where the engine puts the answer, which the route then writes. */
  readonly sent: { answer?: GraphQLAnswer };
  /** The members of the request as Fastify parsed them; throws where there are none. Absent on the short way. */
  readonly params?: () => GraphQLParams;
  /** Who follows a subscription. Absent on the short way. */
  readonly follower?: Follower;
}

/** The client at the other end of an event stream. */
export interface Follower {
  /** The context anew, with whom the token names now; throws when it names nobody any more. */
  renew(): Promise<Context>;
  /** Whose streams are counted together: a user, or an address. */
  readonly account: string;
  /** Aborted when the client leaves. */
  readonly left: AbortSignal;
  /** Aborted when the client leaves and when the service stops. */
  readonly signal: AbortSignal;
  /** The last event that it has seen. */
  readonly lastEventId?: string;
}
