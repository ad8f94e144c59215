import type { GraphQLFormattedError } from 'graphql';

/** The response body of a GraphQL request. */
export interface GraphQLAnswer {
  data?: unknown;
  errors?: GraphQLFormattedError[];
  extensions?: Record<string, unknown>;
}
