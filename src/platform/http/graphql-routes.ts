import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '../access/authenticate.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { GraphQLParams } from '../graphql/params.ts';
import type { GraphQLOutcome, RunGraphQL } from '../graphql/run-graphql.ts';
import { answerByEvents, EVENT_STREAM } from './event-stream.ts';
import type { InContext } from './server.ts';
import { staticPage } from './static-page.ts';

export const GRAPHQL_PATH = '/graphql';

const GRAPHQL_JSON = 'application/graphql-response+json';

/** What GraphiQL opens with: without a token even the schema cannot be read. */
const DEFAULT_QUERY = `# Stemma's graph. Give your token under "Headers" below:
#   { "Authorization": "Bearer stemma_…" }
# then press "Re-fetch GraphQL schema" (the arrows at the lower left) and run this.
# Every type and field is described in the Docs on the left.
query Welcome {
  apiInformation {
    version
  }
  viewer {
    displayName
    organizations(first: 5) {
      nodes {
        title
        spaces(first: 10) {
          totalCount
          nodes {
            id
            title
            revision {
              pages {
                ... on DocumentPage { title path pages { ... on DocumentPage { title path } } }
                ... on GroupPage { title pages { ... on DocumentPage { title path } } }
              }
            }
          }
        }
      }
    }
  }
}
`;

/** The graph over HTTP (GraphQL over HTTP, June 2024 draft): POST with JSON, GET for queries, GraphiQL for browsers. */
export function registerGraphQL(
  server: FastifyInstance,
  runGraphQL: RunGraphQL,
  { inContext, authenticate }: { inContext: InContext; authenticate: Authenticate },
): void {
  const page = renderGraphiQL({
    title: 'Stemma',
    endpoint: GRAPHQL_PATH,
    defaultQuery: DEFAULT_QUERY,
    // A reload keeps the token, in this browser alone.
    shouldPersistHeaders: true,
  });

  const graphiql = staticPage(page);
  const closing = new AbortController();
  server.addHook('preClose', async () => closing.abort());

  /** Runs what `paramsOf` finds in a request, and answers in the form that the client asks for. */
  const serve = async (
    request: FastifyRequest,
    reply: FastifyReply,
    readOnly: boolean,
    paramsOf: () => GraphQLParams,
  ): Promise<FastifyReply> => {
    const streamed = wantsEvents(request);
    const [outcome, ctx] = await inContext(request, reply, async (context: Context) => {
      return [await runGraphQL(paramsOf(), context, { readOnly, streamed }), context] as const;
    });
    request.errorCodes = outcome.answer.errors?.map(({ extensions }) => String(extensions?.code));
    if (!streamed) return answer(request, reply, outcome);
    const renew = async () => ({ ...ctx, actor: await authenticate(request.headers.authorization) });
    return answerByEvents(request, reply, { ctx, outcome, renew, closing: closing.signal });
  };

  server.get(GRAPHQL_PATH, async (request, reply) => {
    const query = request.query as Record<string, string | undefined>; // Fastify's query parser gives strings
    const isQuestion = query.query !== undefined || query.documentId !== undefined;
    if (!isQuestion && wantsHtml(request)) return graphiql(request, reply);
    return serve(request, reply, true, () => ({
      ...query,
      variables: jsonMember(query.variables, 'variables'),
      extensions: jsonMember(query.extensions, 'extensions'),
    }));
  });

  server.post(GRAPHQL_PATH, async (request, reply) => {
    return serve(request, reply, false, () => {
      const { body } = request;
      if (typeof body !== 'object' || body === null || Array.isArray(body)) {
        throw new Refusal('BAD_USER_INPUT', 'The body must be one JSON object with a "query"; batches are not taken.');
      }
      return body as GraphQLParams; // its members are checked where it is run
    });
  });
}

/**
 * The status by how far the request came (GraphQL over HTTP, 6.4): one that is no GraphQL request is 400; one whose
 * document or variables do not fit is 400 with `application/graphql-response+json`, and 200 with plain JSON.
 */
function answer(request: FastifyRequest, reply: FastifyReply, { answer: body, stage }: GraphQLOutcome): FastifyReply {
  const type = acceptsGraphQLJson(request) ? GRAPHQL_JSON : 'application/json';
  if (stage === 'unsafe') reply.header('allow', 'POST');
  return reply
    .status(statusOf(stage, type))
    .header('content-type', `${type}; charset=utf-8`)
    .send(JSON.stringify(body));
}

function statusOf(stage: GraphQLOutcome['stage'], type: string): number {
  if (stage === 'unsafe') return 405;
  if (stage === 'malformed') return 400;
  return stage === 'refused' && type === GRAPHQL_JSON ? 400 : 200;
}

const acceptOf = (request: FastifyRequest) => request.headers.accept ?? '*/*';

const wantsEvents = (request: FastifyRequest) => acceptOf(request).includes(EVENT_STREAM);

const wantsHtml = (request: FastifyRequest) => acceptOf(request).includes('text/html');

const acceptsGraphQLJson = (request: FastifyRequest) => acceptOf(request).includes(GRAPHQL_JSON);

/** A member of a GET request that is JSON text. */
function jsonMember(text: string | undefined, name: string): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('BAD_USER_INPUT', `"${name}" must be JSON text.`);
  }
}
