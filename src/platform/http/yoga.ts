import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { RunGraphQL } from '../graphql/request/run-graphql.ts';
import type { ServerContext } from '../graphql/request/server-context.ts';
import type { TrustedDocuments } from '../graphql/request/trusted-documents.ts';
import { useEngine } from '../graphql/request/use-engine.ts';
import { useEventStreams } from './graphql-event-streams.ts';

export const GRAPHQL_PATH = '/graphql';

export type Yoga = YogaServerInstance<ServerContext, object>;

/**
 * The HTTP server of the graph. Yoga handles methods, media types, statuses, GraphiQL and event streams; plugins add
 * the rules of this service. CORS, body limits, logs and errors of both transports are handled in one place, not by
 * Yoga.
 */
export function makeYoga(run: RunGraphQL, documents: TrustedDocuments): Yoga {
  return createYoga<ServerContext, object>({
    graphqlEndpoint: GRAPHQL_PATH,
    plugins: [useParsedParams, useEngine(run, documents), useThrownErrors, useEventStreams],
    // Yoga decides when to show GraphiQL. The route has the page.
    renderGraphiQL: () => '',
    parserAndValidationCache: false,
    maxRequestBodySize: false,
    maskedErrors: false,
    multipart: false,
    cors: false,
    landingPage: false,
    logging: false,
  });
}

/** Uses the request that Fastify has parsed. Forms, text and multipart bodies are rejected before. */
const useParsedParams: Plugin<object, ServerContext> = {
  onRequestParse({ serverContext: { exchange }, setRequestParser }) {
    setRequestParser(exchange.params as () => object);
  },
};

/** Errors are thrown out of Yoga, so that one handler makes all error responses. */
const useThrownErrors: Plugin<object, ServerContext> = {
  onResultProcess({ result }) {
    const [error] = ('errors' in result && result.errors) || [];
    if (error?.originalError) throw error.originalError;
  },
};
