import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FetchAPI, processRegularResult } from 'graphql-yoga';
import type { Config } from '../../config.ts';
import { sha256 } from '../../lib/canonical.ts';
import type { Authenticate } from '../access/authenticate.ts';
import type { Context } from '../context.ts';
import { ApiError } from '../errors.ts';
import type { Ways } from '../graphql/choose-operation.ts';
import type { GraphQLParams } from '../graphql/params.ts';
import type { Result } from '../graphql/result.ts';
import type { Follower, ServerContext } from '../graphql/server-context.ts';
import { countedAccount } from './caller.ts';
import { isUnchanged } from './conditional.ts';
import { EVENT_STREAM } from './event-stream.ts';
import type { InContext } from './in-context.ts';
import type { AnswerMemory } from './limits/answer-memory.ts';
import { isCounted } from './limits/write-json.ts';
import { staticPage } from './pages/static-page.ts';
import { sessionOf } from './session-cookie.ts';
import { GRAPHQL_PATH, type Yoga } from './yoga.ts';

let page: Promise<ReturnType<typeof staticPage>> | undefined;

/** Made at the first request, since most processes never get one and its parts take 30 MB. */
function graphiql(): Promise<ReturnType<typeof staticPage>> {
  page ??= import('./pages/graphiql.ts').then(({ graphiqlPage }) => staticPage(graphiqlPage(GRAPHQL_PATH)));
  return page;
}

export interface GraphQLParts {
  inContext: InContext;
  authenticate: Authenticate;
  config: Config;
  memory: AnswerMemory;
}

/** The graph over HTTP (GraphQL over HTTP, June 2024 draft): POST with JSON, GET for queries, GraphiQL for browsers. */
export function registerGraphQL(
  server: FastifyInstance,
  yoga: Yoga,
  { inContext, authenticate, config, memory }: GraphQLParts,
): void {
  const closing = new AbortController();
  server.addHook('preClose', async () => closing.abort());
  const { getResultForParams, handleRequest } = yoga;

  /** Serves everything but plain JSON. Yoga handles the method and the accepted media types. */
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { accept = '*/*', ...headers } = request.headers;
    const method = request.method === 'POST' ? 'POST' : 'GET';
    const ways = { readOnly: method === 'GET', streamed: accept.includes(EVENT_STREAM) };
    const params = () => (method === 'GET' ? membersOfQuery(request) : membersOfBody(request));
    const sent: ServerContext['sent'] = {};
    const response = await inContext(request, reply, async (ctx) => {
      const renew = async () =>
        ({ ...ctx, actor: await authenticate(headers.authorization, sessionOf(request, config)) }) as Context;
      const account = countedAccount(request);
      const follower = ways.streamed && {
        account,
        room: memory.room(request, reply),
        ...followerOf(reply, closing.signal, renew, headers['last-event-id']),
      };
      return handleRequest(new Request(ANY_ORIGIN, { method, headers: { accept } }), {
        ctx,
        ways,
        params,
        ...(follower && { follower }),
        sent,
      });
    });
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/html')) return (await graphiql())(request, reply);
    if (type.startsWith(EVENT_STREAM)) return reply.send(response);
    noteErrors(request, sent);
    if (method === 'GET' && response.status === 200 && isPublic(request, sent)) {
      reply.headers(PUBLIC);
      if (isUnchanged(request, reply, tagOf(sent.answer))) return reply.send();
    }
    // Not a stream, so that it is limited and compressed like other responses.
    return reply
      .status(response.status)
      .headers(Object.fromEntries(response.headers))
      .send(sent.answer ?? (await response.text()));
  };

  server.get(GRAPHQL_PATH, serve);
  server.post(GRAPHQL_PATH, async (request, reply) => {
    const type = plainJson(request.headers.accept);
    if (type === undefined) return serve(request, reply);
    // Fast path with the same plugins, but without request and response objects, which cost more than everything else.
    const sent: ServerContext['sent'] = {};
    const result = await inContext(request, reply, async (ctx) =>
      getResultForParams(
        { params: membersOfBody(request) as object, request: ANY_REQUEST },
        { ctx, ways: PLAIN_WAYS, sent },
      ),
    );
    noteErrors(request, sent);
    const { text, status, headers } = answerOf(result, type);
    return reply
      .status(status)
      .headers(headers)
      .send(sent.answer ?? text);
  });
}

/** Answers that shared caches may keep, and check before each use. */
const PUBLIC = { 'cache-control': 'public, no-cache', vary: 'Authorization, Cookie, Accept' };

/**
 * Whether a response may be cached for everyone: a trusted document, which clients can request by a short URL, read
 * without a token and without errors. Long responses are written in pieces and have no tag.
 */
const isPublic = ({ asked, query, headers }: FastifyRequest, { answer }: ServerContext['sent']): boolean =>
  asked?.actor.kind === 'anonymous' &&
  headers.authorization === undefined &&
  (query as GraphQLParams).query === undefined &&
  answer !== undefined &&
  answer.errors === undefined &&
  !isCounted(answer);

const tagOf = (answer: unknown): string => `"${sha256(JSON.stringify(answer)).slice(0, 32)}"`;

/** Records the error codes for the log. */
function noteErrors(request: FastifyRequest, { answer }: ServerContext['sent']): void {
  request.errorCodes = answer?.errors?.map(({ extensions }) => String(extensions?.code));
}

const ANY_ORIGIN = `http://localhost${GRAPHQL_PATH}`;

/** Plugins only use the context, not the request. */
const ANY_REQUEST = new Request(ANY_ORIGIN);

const PLAIN_WAYS: Ways = { readOnly: false, streamed: false };

const JSON_TYPES = new Set(['application/json', 'application/graphql-response+json']);

/**
 * The media type that Yoga would choose, if it is obvious. Undefined if the response may be a stream or Yoga must
 * decide.
 */
function plainJson(accept: string | undefined): string | undefined {
  if (accept === undefined || accept === '*/*') return 'application/json';
  const [first = ''] = accept.split(/[,;]/, 1);
  return JSON_TYPES.has(first.trim()) && !accept.includes(EVENT_STREAM) ? first.trim() : undefined;
}

/** Yoga makes this from a result instead of a `Response`. */
class PlainAnswer {
  readonly text: string;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(text: string, { status, headers }: { status: number; headers: Record<string, string> }) {
    this.text = text;
    this.status = status;
    this.headers = headers;
  }
}

const PLAIN_FETCH = { Response: PlainAnswer } as unknown as FetchAPI; // only this part is used

const answerOf = (result: unknown, type: string) =>
  processRegularResult(result as Result, PLAIN_FETCH, type) as unknown as PlainAnswer; // no stream without `follower`

function followerOf(
  reply: FastifyReply,
  closing: AbortSignal,
  renew: Follower['renew'],
  lastEventId: string | string[] | undefined,
): Omit<Follower, 'account' | 'room'> {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  if (reply.raw.destroyed) left.abort();
  const signal = AbortSignal.any([closing, left.signal]);
  return { renew, left: left.signal, signal, ...(lastEventId && { lastEventId: String(lastEventId) }) };
}

function membersOfBody({ body }: FastifyRequest): GraphQLParams {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new ApiError('BAD_USER_INPUT', 'The body must be a JSON object with a "query". Batches are not supported.');
}

function membersOfQuery(request: FastifyRequest): GraphQLParams {
  const query = request.query as Record<string, string | undefined>; // Fastify's query parser gives strings
  return {
    ...query,
    variables: jsonMember(query.variables, 'variables'),
    extensions: jsonMember(query.extensions, 'extensions'),
  };
}

/** A query parameter that contains JSON. */
function jsonMember(text: string | undefined, name: string): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('BAD_USER_INPUT', `"${name}" must be valid JSON.`);
  }
}
