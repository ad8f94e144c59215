import type { Route } from '../route.ts';
import type { OpenApiObject } from './json.ts';
import { hasJsonBody, membersOf, parametersOf, SHARED_PARAMETERS } from './parameters.ts';
import { requestBodyOf } from './request-body.ts';
import { errorShape, responsesOf, SHARED_HEADERS, sharedResponses } from './responses.ts';
import { makeSchemas, type Schemas } from './schemas.ts';

/** A group of routes with a common tag. */
export interface Module {
  name: string;
  description: string;
  routes: Route[];
}

/** The permission that an operation requires. */
export interface RequiredAccess {
  sentence?: string | undefined;
  /** Requires no token. */
  isOpen?: boolean;
  /** Requires no token for content of a published site. */
  isOpenOnSites?: boolean;
}

/** Recorded requests and responses by operation id, and errors by name. */
export interface Examples {
  operations: Record<string, { request?: unknown; response?: unknown }>;
  apiErrors: Record<string, unknown>;
}

export interface Description {
  title: string;
  version: string;
  description: string;
  license: { name: string; identifier: string };
  publicUrl: string;
  modules: Module[];
  accessOf(route: Route): RequiredAccess;
  examples: Examples;
}

/**
 * The OpenAPI 3.1.1 description of REST, made from the schemas that validate inputs and that tests validate responses
 * with. With `isClosed`, schemas of responses allow no other properties.
 */
export function openApiDocument(api: Description, options: { isClosed?: boolean } = {}): OpenApiObject {
  const schemas = makeSchemas(options);
  schemas.output(errorShape);
  const paths: Record<string, Record<string, OpenApiObject>> = {};
  for (const { name, routes } of api.modules) {
    for (const route of routes) {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, name, api, schemas) };
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: api.title,
      version: api.version,
      description: api.description,
      contact: { name: 'The operators of this service', url: api.publicUrl },
      license: api.license,
    },
    servers: [{ url: api.publicUrl, description: 'This server.' }],
    tags: api.modules.map(({ name, description }) => ({ name, description })),
    security: [{ token: [] }],
    paths,
    components: {
      schemas: sorted(schemas.named),
      parameters: SHARED_PARAMETERS,
      headers: SHARED_HEADERS,
      responses: sharedResponses(api.examples.apiErrors),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A personal access token: `stemma_…`.' },
      },
    },
  };
}

function operationOf(
  route: Route,
  module: string,
  { accessOf, examples }: Description,
  schemas: Schemas,
): OpenApiObject {
  const { operationId, operation, about } = route;
  const { sentence, isOpen = false, isOpenOnSites = false } = accessOf(route);
  const example = examples.operations[operationId];
  const members = membersOf(route, schemas);
  const requestBody = requestBodyOf(route, members, schemas, example?.request);
  const parameters = parametersOf(route, members, schemas);
  const occurring = { route, hasBody: requestBody !== undefined, readsProperties: hasJsonBody(route, members) };
  return {
    operationId,
    tags: [module],
    summary: inWords(operationId),
    description: [about.description ?? operation?.description, sentence].filter(Boolean).join('\n\n'),
    ...(isOpen && { security: [] }),
    ...(isOpenOnSites && { security: [{ token: [] }, {}] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(occurring, schemas, example?.response),
  };
}

/** Converts `listSAMLProvidersInOrganizationById` to "List SAML providers in organization by ID". */
const inWords = (name: string) =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/\b[A-Z][a-z]*\b/g, (word) => word.toLowerCase())
    .replace(/\b(api|id|pdf|url)\b/gi, (acronym) => acronym.toUpperCase())
    .replace(/\bopen API\b/, 'OpenAPI')
    .replace(/^./, (first) => first.toUpperCase());

const sorted = <Value>(members: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(members).sort(([left], [right]) => (left < right ? -1 : 1)));
