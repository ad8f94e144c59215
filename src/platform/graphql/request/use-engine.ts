import type { Plugin } from 'graphql-yoga';
import { checkParams } from './check-params.ts';
import { type Result, yogaResult } from './result.ts';
import type { RunGraphQL } from './run-graphql.ts';
import type { ServerContext } from './server-context.ts';
import type { TrustedDocuments } from './trusted-documents.ts';

/** Passes Yoga's own check of parameters, which knows no trusted documents. */
const UNCHECKED = { query: '' };

/**
 * Runs requests with `run` instead of Yoga's own parsing, validation and execution. Yoga's hooks have no place for
 * limits that depend on the caller, and its `maskError` gets neither the id nor the log of the request.
 */
export const useEngine = (run: RunGraphQL, documents: TrustedDocuments): Plugin<object, ServerContext> => ({
  onParams({ params, setParams, setParamsHandler }) {
    setParams(UNCHECKED);
    setParamsHandler(async ({ context: { exchange } }) => {
      const { ctx, transport, streamClient, sent } = exchange;
      const checked = checkParams(params, ctx, documents);
      const outcome = 'response' in checked ? checked : await run(checked, ctx, transport);
      if (!outcome.subscription || !streamClient) return yogaResult(outcome, sent);
      const responses = outcome.subscription(ctx, streamClient);
      return responses as AsyncIterable<Result>; // errors are already formatted
    });
  },
});
