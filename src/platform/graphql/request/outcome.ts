import type { GraphQLFormattedError } from 'graphql';
import type { Context } from '../../context/context.ts';

/** The response body of a GraphQL request. */
export interface GraphQLResponse {
  data?: unknown;
  errors?: GraphQLFormattedError[];
  extensions?: Record<string, unknown>;
}

/**
 * Starts a subscription. Each response has a context of its own, whose caller is authenticated again, and the id of its
 * event in `extensions.eventId`, from which clients can resume.
 */
export type Subscription = (
  ctx: Context,
  stream: NonNullable<Context['stream']>,
) => AsyncGenerator<GraphQLResponse, void>;

/** The response and the stage that the request reached, which determines the HTTP status. */
export interface GraphQLOutcome {
  response: GraphQLResponse;
  /**
   * - `malformed`: not a GraphQL request. A parameter is missing or has the wrong type.
   * - `refused`: the document or the variables are invalid. Nothing was executed.
   * - `unsafe`: not a query, but only queries are allowed. Nothing was executed.
   * - `executed`: executed, possibly with errors.
   */
  stage: 'malformed' | 'refused' | 'unsafe' | 'executed';
  /** Set instead of `response` for subscriptions. */
  subscription?: Subscription;
}
