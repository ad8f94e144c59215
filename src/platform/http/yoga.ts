import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { RunGraphQL } from '../graphql/run-graphql.ts';
import type { ServerContext } from '../graphql/server-context.ts';
import type { TrustedDocuments } from '../graphql/trusted-documents.ts';
import { useEngine } from '../graphql/use-engine.ts';
import { useTrustedDocuments } from '../graphql/use-trusted-documents.ts';
import { useEventStreams } from './event-stream.ts';

export const GRAPHQL_PATH = '/graphql';

export type Yoga = YogaServerInstance<ServerContext, object>;

/**
 * The server of the graph over HTTP: methods, media types, statuses, GraphiQL and event streams are Yoga's, the rules of
 * this service are its plugins. CORS, the size of bodies, logs and errors are those of the whole service.
 */
export function makeYoga(run: RunGraphQL, documents: TrustedDocuments | undefined): Yoga {
  return createYoga<ServerContext, object>({
    graphqlEndpoint: GRAPHQL_PATH,
    plugins: [useParsedMembers, useTrustedDocuments(documents), useEngine(run), useThrownErrors, useEventStreams],
    // Yoga says when GraphiQL is shown; the route has the page.
    renderGraphiQL: () => '',
    fetchAPI: { Request, Response },
    parserAndValidationCache: false,
    maxRequestBodySize: false,
    maskedErrors: false,
    multipart: false,
    cors: false,
    landingPage: false,
    logging: false,
  });
}

/** Fastify has parsed the request; forms, text and multipart bodies do not come this far. */
const useParsedMembers: Plugin<object, ServerContext> = {
  onRequestParse({ serverContext: { params }, setRequestParser }) {
    if (params) setRequestParser(params as () => object);
  },
};

/** What is thrown leaves Yoga, for the one place where errors of requests become answers. */
const useThrownErrors: Plugin<object, ServerContext> = {
  onResultProcess({ result }) {
    const [error] = ('errors' in result && result.errors) || [];
    if (error?.originalError) throw error.originalError;
  },
};
