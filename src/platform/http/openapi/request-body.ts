import type { Route } from '../route.ts';
import type { JsonSchema, OpenApiObject } from './json.ts';
import { type Members, membersIn, pathNames } from './parameters.ts';
import type { Schemas } from './schemas.ts';

/** The request body of a route, if it has one. */
export function requestBodyOf(
  route: Route,
  members: Members,
  schemas: Schemas,
  example: unknown,
): OpenApiObject | undefined {
  const { method, about } = route;
  if (about.takesBytes) {
    // The bytes of a file are described only by their media type (OpenAPI 3.1, 4.8.14.2).
    return { required: true, description: 'Content of the file.', content: { 'application/octet-stream': {} } };
  }
  if (method === 'GET' || method === 'DELETE') return undefined;
  const bodyMembers = about.body ? membersIn(about.body, schemas) : members.rest;
  const inBody = [...bodyMembers].filter(([name]) => !pathNames(route.path).includes(name));
  if (inBody.length === 0) return undefined;
  const required = inBody.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  const schema: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(inBody.map(([name, member]) => [name, member.schema])),
    ...(required.length > 0 && { required }),
  };
  const accepted = about.bodyOrList ? { oneOf: [schema, { type: 'array', items: schema }] } : schema;
  return {
    ...(required.length > 0 && { required: true }),
    content: { 'application/json': { schema: accepted, ...(example !== undefined && { example }) } },
  };
}
