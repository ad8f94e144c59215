import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../../lib/canonical.ts';
import { openOnce } from '../../lib/open-once.ts';
import { ApiError } from '../errors/errors.ts';
import type { GraphQLParams } from '../graphql/request/params.ts';
import type { Exchange } from '../graphql/request/server-context.ts';
import { isUnchanged } from './conditional-requests.ts';
import type { InContext } from './in-context.ts';
import { jsonExcess } from './limits/json-scan.ts';
import { isCounted } from './limits/write-json.ts';
import { staticPage } from './pages/static-page.ts';
import { plainJson } from './plain-json.ts';
import { EVENT_STREAM, type MakeStreamClient } from './stream-client.ts';
import { GRAPHQL_PATH, type Yoga } from './yoga.ts';

/** Loaded at the first request for it: its parts take 30 MB, and most processes never need them. */
const openGraphiql = async (tabs: GraphiqlTabs) =>
  staticPage((await import('./pages/graphiql.ts')).graphiqlPage(await tabs()));

/** Reads the documents that GraphiQL opens with, one for each tab. */
export type GraphiqlTabs = () => Promise<string[]>;

export interface GraphQLParts {
  inContext: InContext;
  makeStreamClient: MakeStreamClient;
  graphiqlTabs: GraphiqlTabs;
}

/** GraphQL over HTTP (June 2024 draft): POST with JSON, GET for queries, event streams, and GraphiQL for browsers. */
export function registerGraphQL(
  server: FastifyInstance,
  yoga: Yoga,
  { inContext, makeStreamClient, graphiqlTabs }: GraphQLParts,
): void {
  const graphiql = openOnce(() => openGraphiql(graphiqlTabs));
  /** Lets Yoga choose the media type and the status of the response. The body is sent like those of other routes. */
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { accept = '*/*' } = request.headers;
    const method = request.method === 'POST' ? 'POST' : 'GET';
    const transport = { readOnly: method === 'GET', streamed: accept.includes(EVENT_STREAM) };
    const params = () => (method === 'GET' ? paramsOfQuery(request) : paramsOfBody(request));
    const sent: Exchange['sent'] = {};
    const response = await inContext(request, reply, async (ctx) => {
      const streamClient = transport.streamed && { streamClient: makeStreamClient(request, reply, ctx) };
      const exchange = { ctx, transport, params, sent, ...streamClient };
      const plain = method === 'POST' ? plainJson(yoga, exchange, accept) : undefined;
      return plain ?? yoga.fetch(ENDPOINT, { method, headers: { accept } }, { exchange });
    });
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/html')) return (await graphiql.use())(request, reply);
    const headers = Object.fromEntries(response.headers);
    // Not the response itself: for HEAD, Fastify cancels a stream.
    if (type.startsWith(EVENT_STREAM)) return reply.status(response.status).headers(headers).send(response.body);
    request.errorCodes = sent.response?.errors?.map(({ extensions }) => String(extensions?.code));
    if (method === 'GET' && response.status === 200 && isPublic(request, sent)) {
      reply.headers(PUBLIC);
      if (isUnchanged(request, reply, tagOf(sent.response))) return reply.send();
    }
    // Not a stream, so that it is limited and compressed like other responses.
    return reply
      .status(response.status)
      .headers(headers)
      .send(sent.response ?? (await response.text()));
  };

  server.get(GRAPHQL_PATH, serve);
  server.post(GRAPHQL_PATH, serve);
}

/** Yoga compares the path. The host is not used. */
const ENDPOINT = `http://localhost${GRAPHQL_PATH}`;

/** Headers of responses that shared caches may store, and revalidate before each use. */
const PUBLIC = { 'cache-control': 'public, no-cache', vary: 'Authorization, Cookie, Accept' };

/**
 * Whether a response may be cached for everyone: a trusted document, which clients can request by a short URL, read
 * without a token and without errors. Long responses are written in pieces and have no tag.
 */
const isPublic = ({ callContext, query, headers }: FastifyRequest, { response }: Exchange['sent']): boolean =>
  callContext?.actor.kind === 'anonymous' &&
  headers.authorization === undefined &&
  (query as GraphQLParams).query === undefined &&
  response !== undefined &&
  response.errors === undefined &&
  !isCounted(response);

const tagOf = (response: unknown): string => `"${sha256(JSON.stringify(response)).slice(0, 32)}"`;

function paramsOfBody({ body }: FastifyRequest): GraphQLParams {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new ApiError('BAD_USER_INPUT', 'The body must be a JSON object with a "query". Batches are not supported.');
}

function paramsOfQuery(request: FastifyRequest): GraphQLParams {
  const query = request.query as Record<string, string | undefined>; // Fastify's query parser gives strings
  return {
    ...query,
    variables: jsonParam(query.variables, 'variables'),
    extensions: jsonParam(query.extensions, 'extensions'),
  };
}

/** A query parameter that contains JSON, with the limits of bodies. */
function jsonParam(text: string | undefined, name: string): unknown {
  if (text === undefined) return undefined;
  const excess = jsonExcess(Buffer.from(text));
  if (excess !== undefined) throw new ApiError('BAD_USER_INPUT', `"${name}" ${excess}.`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('BAD_USER_INPUT', `"${name}" must be valid JSON.`);
  }
}
