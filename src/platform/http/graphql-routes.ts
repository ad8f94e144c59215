import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../errors.ts';
import type { GraphQLOutcome, GraphQLParams, RunGraphQL } from '../graphql/run-graphql.ts';
import type { InContext } from './server.ts';
import { staticPage } from './static-page.ts';

export const GRAPHQL_PATH = '/graphql';

const GRAPHQL_JSON = 'application/graphql-response+json';

/** What GraphiQL opens with: it shows something without a token too. */
const DEFAULT_QUERY = `# Stemma's graph. Give your token under "Headers" below:
#   { "Authorization": "Bearer stemma_…" }
# then run this. Every type and field is described in the Docs on the left.
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
export function registerGraphQL(server: FastifyInstance, runGraphQL: RunGraphQL, inContext: InContext): void {
  const page = renderGraphiQL({
    title: 'Stemma',
    endpoint: GRAPHQL_PATH,
    defaultQuery: DEFAULT_QUERY,
    // A reload keeps the token, in this browser alone.
    shouldPersistHeaders: true,
  });

  const graphiql = staticPage(page);

  server.get(GRAPHQL_PATH, async (request, reply) => {
    const query = request.query as Record<string, string | undefined>; // Fastify's query parser gives strings
    const isQuestion = query.query !== undefined || query.documentId !== undefined;
    if (!isQuestion && wantsHtml(request)) return graphiql(request, reply);
    const outcome = await inContext(request, reply, async (ctx) => {
      const params = {
        ...query,
        variables: jsonMember(query.variables, 'variables'),
        extensions: jsonMember(query.extensions, 'extensions'),
      };
      return runGraphQL(params, ctx, { readOnly: true });
    });
    return answer(request, reply, outcome);
  });

  server.post(GRAPHQL_PATH, async (request, reply) => {
    const outcome = await inContext(request, reply, async (ctx) => {
      const { body } = request;
      if (typeof body !== 'object' || body === null || Array.isArray(body)) {
        throw new Refusal('BAD_USER_INPUT', 'The body must be one JSON object with a "query"; batches are not taken.');
      }
      return runGraphQL(body as GraphQLParams, ctx); // its members are checked there
    });
    return answer(request, reply, outcome);
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
