import type { Plugin } from 'graphql-yoga';
import type { CheckedParams } from './params.ts';
import { type Result, resultOf } from './result.ts';
import type { RunGraphQL } from './run-graphql.ts';
import type { ServerContext } from './server-context.ts';

/**
 * Runs requests with `run` instead of Yoga's own parsing, validation and execution, which avoids most of Yoga's overhead.
 */
export const useEngine = (run: RunGraphQL): Plugin<object, ServerContext> => ({
  onParams({ setParamsHandler }) {
    setParamsHandler(async ({ params, context: { ctx, ways, follower, sent } }) => {
      const outcome = await run(params as CheckedParams, ctx, ways); // earlier plugins validated them
      if (!outcome.subscription || !follower) return resultOf(outcome, sent);
      const answers = outcome.subscription({ ...ctx, stream: follower }, follower.renew);
      return answers as AsyncIterable<Result>; // errors are already formatted
    });
  },
});
