import type { Scope } from '../../../platform/access/scopes.ts';
import type { Context, Step } from '../../../platform/context/context.ts';
import type { CallerError } from '../../../platform/mcp/note-error.ts';

/** A request to a route of REST: parameters of its path and query, and its body. */
export interface RestCall {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
}

/** The caller that a tool acts for. */
export interface Agent {
  ctx: Context;
  userId: string;
  /** The same caller, in a call of this tool. `noteStep` is told how far it has come. */
  calling(tool: string, noteStep?: (step: Step) => void): Agent;
  /** The same caller, whose commands run at most once with this idempotency key. */
  withKey(idempotencyKey: string): Agent;
  /** Runs the operation of a route by its id in REST, with the caller's rights, and returns what the route answers. */
  rest(operationId: string, call: RestCall): Promise<unknown>;
  /**
   * Notes an error for the log of the request, and returns what the caller may see of it. Bugs are logged with their
   * details.
   */
  noteError(error: unknown): CallerError;
}

/**
 * Whether the access token names a scope. A token without scopes does not: what skips the review by people is allowed
 * to an agent only on purpose.
 */
export const namesScope = ({ ctx: { actor } }: Agent, scope: Scope): boolean =>
  actor.kind === 'user' && actor.scopes?.includes(scope) === true;
