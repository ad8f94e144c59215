import { processRegularResult } from 'graphql-yoga';
import type { Result } from '../graphql/request/result.ts';
import type { Exchange } from '../graphql/request/server-context.ts';
import { GRAPHQL_PATH, type Yoga } from './yoga.ts';

/**
 * The media types of responses for values of `Accept` that leave nothing to negotiate, which nearly all clients send.
 * Yoga would choose the same.
 */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/graphql-response+json', 'application/graphql-response+json'],
]);

/** Plugins get it with the parameters, and read neither. */
const REQUEST = new Request(`http://localhost${GRAPHQL_PATH}`, { method: 'POST' });

/**
 * Answers a POST request that accepts plain JSON with Yoga's own functions for the parameters and the result, which run
 * the same plugins. Undefined if Yoga has to choose the media type.
 *
 * `yoga.fetch` gives the same response, but makes a request and a response of the Fetch API with their headers and
 * bodies, and passes through more promises: a query of one object then takes 1.6 times the processor time, and 150 MB
 * more memory under load. The price is the table of media types above. `test/graphql/media-types.test.ts` compares both
 * ways.
 */
export function plainJson(yoga: Yoga, exchange: Exchange, accept: string): Promise<Response> | undefined {
  const mediaType = MEDIA_TYPES.get(accept);
  return mediaType === undefined ? undefined : answer(yoga, exchange, mediaType);
}

async function answer(yoga: Yoga, exchange: Exchange, mediaType: string): Promise<Response> {
  const params = exchange.params() as object; // all members are optional
  const result = await yoga.getResultForParams({ params, request: REQUEST }, { exchange });
  return processRegularResult(result as Result, yoga.fetchAPI, mediaType); // `useEngine` sets one, and no stream without its client
}
