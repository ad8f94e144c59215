import type { Plugin } from 'graphql-yoga';
import type { CheckedParams } from './params.ts';
import { type Result, resultOf } from './result.ts';
import type { RunGraphQL } from './run-graphql.ts';
import type { ServerContext } from './server-context.ts';

/**
 * Runs requests with `run` instead of Yoga's own parsing, validation and execution, whose hooks have no place for limits that
 * depend on the caller, and whose `maskError` gets neither the id nor the log of the request.
 */
export const useEngine = (run: RunGraphQL): Plugin<object, ServerContext> => ({
  onParams({ setParamsHandler }) {
    setParamsHandler(async ({ params, context: { ctx, transport, follower, sent } }) => {
      const outcome = await run(params as CheckedParams, ctx, transport); // earlier plugins validated them
      if (!outcome.subscription || !follower) return resultOf(outcome, sent);
      const answers = outcome.subscription({ ...ctx, stream: follower }, follower.renew);
      return answers as AsyncIterable<Result>; // errors are already formatted
    });
  },
});
