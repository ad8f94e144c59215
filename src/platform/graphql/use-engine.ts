import type { Plugin } from 'graphql-yoga';
import type { CheckedParams } from './params.ts';
import { type Result, resultOf } from './result.ts';
import type { RunGraphQL } from './run-graphql.ts';
import type { ServerContext } from './server-context.ts';

/**
 * Sets what runs a request: the rules of this service with their cache of compiled documents, instead of Yoga's own steps
 * of parsing, validating and executing. Where both the parsing and the result are someone else's, Yoga costs next to nothing.
 */
export const useEngine = (run: RunGraphQL): Plugin<object, ServerContext> => ({
  onParams({ setParamsHandler }) {
    setParamsHandler(async ({ params, context: { ctx, ways, follower, sent } }) => {
      const outcome = await run(params as CheckedParams, ctx, ways); // the plugins before this one saw to that
      if (!outcome.subscription || !follower) return resultOf(outcome, sent);
      const answers = outcome.subscription({ ...ctx, stream: follower }, follower.renew);
      return answers as AsyncIterable<Result>; // errors are formatted already
    });
  },
});
