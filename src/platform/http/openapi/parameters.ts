import { z } from 'zod';
import { restPagingQuery } from '../../paging/rest.ts';
import type { Route } from '../route.ts';
import type { JsonSchema, OpenApiObject } from './json.ts';
import type { Schemas } from './schemas.ts';

/** Properties of an operation's input by their names in the route: parameters of the path, and the rest. */
export interface Members {
  path: Map<string, Member>;
  rest: Map<string, Member>;
}

interface Member {
  schema: JsonSchema;
  isRequired: boolean;
}

/** Splits the input into parameters of the path and the rest, which is in the query or the body. */
export function membersOf({ path, operation, about }: Route, schemas: Schemas): Members {
  const { rename = {}, sets = [], body, query } = about;
  const names = pathNames(path);
  // The route overrides the operation.
  const ownNames = new Set([...Object.keys(query?.shape ?? {}).map((name) => rename[name] ?? name), ...sets]);
  const all = operation
    ? membersIn(partOf(operation.input, body ? inPath(names) : (name) => !ownNames.has(name)), schemas)
    : NONE;
  const theirs = new Map(Object.entries(rename).map(([name, ours]) => [ours, name]));
  const entries = [...all].map(([name, member]) => [theirs.get(name) ?? name, member] as const);
  const byName = new Map(entries);
  return {
    path: new Map(names.map((name) => [name, byName.get(name) ?? SIGNED])),
    rest: new Map(entries.filter(([name]) => !names.includes(name))),
  };
}

const NONE = new Map<string, Member>();

const partOf = ({ shape }: z.ZodObject, isWanted: (name: string) => boolean) =>
  z.object(Object.fromEntries(Object.entries(shape).filter(([name]) => isWanted(name))));

const inPath = (names: string[]) => (name: string) => names.includes(name);

export const pathNames = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/** A parameter of URLs that the service generates. */
const SIGNED: Member = { schema: { type: 'string', description: 'Part of the signed URL.' }, isRequired: true };

export function membersIn(schema: z.ZodObject, schemas: Schemas): Map<string, Member> {
  const { properties = {}, required = [] } = schemas.input(schema);
  return new Map(
    Object.entries(properties).map(([name, member]) => [name, { schema: member, isRequired: required.includes(name) }]),
  );
}

/** Parameters of paging with their parsed types, although the query contains text. */
const pagingMembers = (schemas: Schemas): [string, Member][] =>
  Object.entries(schemas.output(restPagingQuery).properties ?? {}).map(([name, schema]) => [
    name,
    { schema, isRequired: false },
  ]);

/** All parameters of a route in the path, the query and headers. */
export function parametersOf(route: Route, members: Members, schemas: Schemas): OpenApiObject[] {
  const { method, operation, about } = route;
  const inQuery = method === 'GET' || method === 'DELETE' || about.takesBytes;
  const query = [
    ...(inQuery ? members.rest : []),
    ...(about.query ? membersIn(about.query, schemas) : []),
    ...(about.isList ? pagingMembers(schemas) : []),
  ];
  return [
    ...[...members.path].map(([name, member]) => parameter('path', name, { ...member, isRequired: true })),
    // Later parameters override earlier ones of the same name.
    ...[...new Map(query)].map(([name, member]) => parameter('query', name, member)),
    ...(operation?.kind === 'command' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(hasJsonBody(route, members) ? [{ $ref: '#/components/parameters/Prefer' }] : []),
    ...(operation?.versioned ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...(method === 'GET' && hasTag(about) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ];
}

/** Whether a request has a JSON body that the service compares with its description. */
export const hasJsonBody = ({ method, operation, about }: Route, members: Members): boolean =>
  operation !== undefined &&
  method !== 'GET' &&
  method !== 'DELETE' &&
  !about.takesBytes &&
  (about.body !== undefined || members.rest.size > 0);

/** Whether the response has an entity tag: it is a versioned resource, or its route makes the tag. */
export const hasTag = ({ shape, isList, isTagged }: Route['about']): boolean =>
  isTagged === true || (!isList && shape?.().meta()?.isVersioned === true);

function parameter(place: 'path' | 'query', name: string, { schema, isRequired }: Member): OpenApiObject {
  const { description, ...rest } = withoutNull(schema);
  return { name, in: place, ...(isRequired && { required: true }), description, schema: rest };
}

/** Removes null, which paths and queries cannot contain. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(type)) {
    const [only, ...others] = type.filter((name) => name !== 'null');
    return { ...rest, type: others.length === 0 && only ? only : type };
  }
  const branches = anyOf?.filter((branch) => branch.type !== 'null') ?? [];
  const [branch] = branches;
  if (branches.length !== 1 || !branch) return schema;
  return { ...branch, ...rest };
}

const header = (name: string, description: string, schema: JsonSchema): OpenApiObject => ({
  name,
  in: 'header',
  description,
  schema,
});

/** Parameters that routes share, by their names in the document. */
export const SHARED_PARAMETERS: OpenApiObject = {
  IdempotencyKey: header(
    'Idempotency-Key',
    'Unique key of your choice. For 24 hours, repeating the request with the same key returns the result without running ' +
      'it again. A different request with the same key fails with 409.',
    { type: 'string', minLength: 1, maxLength: 255 },
  ),
  Prefer: header(
    'Prefer',
    '`handling=strict` (RFC 7240) makes unknown properties of the body an error. Without it, they are ignored and named in ' +
      'the response header `Stemma-Ignored-Properties`.',
    { type: 'string' },
  ),
  IfMatch: header(
    'If-Match',
    '`ETag` of an earlier response. The request fails with 412 if the resource has changed since.',
    { type: 'string' },
  ),
  IfNoneMatch: header(
    'If-None-Match',
    '`ETag` of an earlier response. If the response would be the same, the status is 304 and there is no body.',
    { type: 'string' },
  ),
};
