import type { GraphQLAnswer } from './answer.ts';
import type { Subscription } from './subscription.ts';

/** The response and the stage that the request reached, which determines the HTTP status. */
export interface GraphQLOutcome {
  answer: GraphQLAnswer;
  /**
   * - `malformed`: not a GraphQL request. A parameter is missing or has the wrong type.
   * - `refused`: the document or the variables are invalid. Nothing was executed.
   * - `unsafe`: not a query, but only queries are allowed. Nothing was executed.
   * - `executed`: executed, possibly with errors.
   */
  stage: 'malformed' | 'refused' | 'unsafe' | 'executed';
  /** Set instead of `answer` for subscriptions. */
  subscription?: Subscription;
}
