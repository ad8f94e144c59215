import type { FastifyBaseLogger } from 'fastify';
import type { Actor } from '../access/actor.ts';
import type { Allowance } from '../rate-limit/rate-limiter.ts';
import type { DatabaseAccess } from './database-access.ts';
import type { ExpectedVersion } from './expected-version.ts';
import type { RequestDeadline } from './request-deadline.ts';
import type { Services } from './services.ts';

/** How far a request has come. */
export interface Step {
  done: number;
  total: number;
  /** What the numbers count, such as "Stored files". */
  what: string;
}

/** One request: its caller and its access to the database. First parameter of all functions that act for a caller. */
export interface Context extends DatabaseAccess {
  readonly actor: Actor;
  readonly services: Services;
  readonly requestId: string;
  readonly log: FastifyBaseLogger;
  /** Time limit and cancellation of the request. Undefined in jobs. */
  readonly deadline?: RequestDeadline;
  /** Client address for limits. Undefined in jobs. */
  readonly address?: string;
  /** `User-Agent` header of the request. Undefined in jobs. */
  readonly userAgent?: string | undefined;
  /** The call of a tool over the Model Context Protocol that the operation runs in. */
  readonly agentCall?: { readonly tool: string; readonly clientName?: string };
  /** Tells the caller how far the request has come. Undefined if the caller does not ask for it. */
  readonly noteStep?: (step: Step) => void;
  /** Remaining requests in the current minute. Undefined if requests are not counted. */
  readonly allowance?: Allowance | undefined;
  /**
   * Cost (`cost.ts`) and name of the graph operation, or name of the tool of an agent, for the log and the field
   * `rateLimit`. Filled in before the operation runs.
   */
  readonly callSummary?: { cost: number; operation?: string };
  /**
   * For subscriptions: the signal that ends the stream, and the id of the last event that the client has received.
   * `renew` makes a context with a newly authenticated caller, and throws if the token is no longer valid.
   */
  readonly stream?: {
    readonly signal: AbortSignal;
    readonly lastEventId?: string;
    begin(): void;
    renew(): Promise<Context>;
  };
  /** True inside a command. */
  readonly inTransaction: boolean;
  /**
   * While a command that changes access decides whether the caller may (`decideBeforeLocks`): first without locks, then
   * with them. Undefined otherwise.
   */
  readonly decision?: 'without locks' | 'with locks';
  /** Callbacks that run after the commit of a command. They must not throw. Undefined outside of commands. */
  readonly afterCommit?: (() => void)[];
  /** Callbacks that run at the end of the scope (`atEnd`). Undefined outside of commands and `withCleanup`. */
  readonly atEnd?: (() => void | Promise<void>)[];
  /** The version that the request expects of its target. Undefined outside of commands. */
  readonly expected?: ExpectedVersion | undefined;
}

/** Whether what is read is locked until the command ends. */
export const takesLocks = ({ inTransaction, decision }: Context): boolean =>
  inTransaction && decision !== 'without locks';

/** The current time in ISO 8601, as it is stored and returned. */
export const nowOf = (ctx: Context) => ctx.services.clock().toISOString();

/** The current calendar month in UTC: `2026-01`. */
export const monthOf = (ctx: Context) => nowOf(ctx).slice(0, 7);
