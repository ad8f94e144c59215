import manifest from '../package.json' with { type: 'json' };
import { describePermission } from './domain/people/access/index.ts';
import examples from './openapi-examples.json' with { type: 'json' };
import { type Examples, openApiDocument } from './platform/http/openapi/document.ts';
import type { OpenApiObject } from './platform/http/openapi/json.ts';
import type { Route } from './platform/http/route.ts';
import { modules } from './routes.ts';

/** The OpenAPI description of the REST API. */
export const describeApi = ({ publicUrl }: { publicUrl: string }, options?: { isClosed?: boolean }): OpenApiObject =>
  openApiDocument(
    {
      title: 'Stemma',
      version: manifest.version,
      description: DESCRIPTION,
      license: { name: 'Apache 2.0', identifier: manifest.license },
      publicUrl,
      modules,
      accessOf,
      examples: examples as Examples, // checked by a test
    },
    options,
  );

const DESCRIPTION = `The REST API of a documentation service: organizations, spaces and their content. The GraphQL API at \
\`/graphql\` offers the same operations.

Send a personal access token as \`Authorization: Bearer stemma_…\`. Lists are paginated by \`page\` and \`limit\`. \
Times are in UTC. IDs are the same in the GraphQL API. Resources that you cannot see respond with 404, as if they did not \
exist. Optional properties without a value are left out of responses, even where a description calls them null. Responses \
can contain properties that are not described here.

Descriptions name errors by the codes of the GraphQL API. Their HTTP statuses are 400 for BAD_USER_INPUT, 401 for \
UNAUTHENTICATED, 403 for FORBIDDEN, 404 for NOT_FOUND, 409 for CONFLICT and 412 for PRECONDITION_FAILED.`;

/** Routes without an operation are reached by signed URLs, which grant access themselves. */
const accessOf = ({ operation }: Route) => (operation ? describePermission(operation.operationName) : { isOpen: true });
