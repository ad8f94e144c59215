import { z } from 'zod';
import { restPagingQuery } from '../../paging/rest.ts';
import type { Route } from '../route.ts';
import type { Json, JsonSchema } from './json.ts';
import type { Schemas } from './schemas.ts';

/** The members of an operation's input by the names that a route gives them, and where each stands. */
export interface Members {
  path: Map<string, Member>;
  rest: Map<string, Member>;
}

interface Member {
  schema: JsonSchema;
  isRequired: boolean;
}

/** Sorts the input into what the path names and what the query or the body holds. */
export function membersOf({ path, operation, about }: Route, schemas: Schemas): Members {
  const { rename = {}, body, query } = about;
  const names = pathNames(path);
  // What the route describes in its own way is not described in the operation's.
  const own = new Set(Object.keys(query?.shape ?? {}).map((name) => rename[name] ?? name));
  const all = operation
    ? membersIn(partOf(operation.input, body ? inPath(names) : (name) => !own.has(name)), schemas)
    : NONE;
  const theirs = new Map(Object.entries(rename).map(([name, ours]) => [ours, name]));
  const entries = [...all].map(([name, member]) => [theirs.get(name) ?? name, member] as const);
  const found = new Map(entries);
  return {
    path: new Map(names.map((name) => [name, found.get(name) ?? SIGNED])),
    rest: new Map(entries.filter(([name]) => !names.includes(name))),
  };
}

const NONE = new Map<string, Member>();

const partOf = ({ shape }: z.ZodObject, isWanted: (name: string) => boolean) =>
  z.object(Object.fromEntries(Object.entries(shape).filter(([name]) => isWanted(name))));

const inPath = (names: string[]) => (name: string) => names.includes(name);

export const pathNames = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/** What stands in an address that the service makes, and nobody writes. */
const SIGNED: Member = { schema: { type: 'string', description: 'As the address has it.' }, isRequired: true };

export function membersIn(schema: z.ZodObject, schemas: Schemas): Map<string, Member> {
  const { properties = {}, required = [] } = schemas.input(schema);
  return new Map(
    Object.entries(properties).map(([name, member]) => [name, { schema: member, isRequired: required.includes(name) }]),
  );
}

/** In a query everything is text, and what it stands for is described. */
const pagingMembers = (schemas: Schemas): [string, Member][] =>
  Object.entries(schemas.output(restPagingQuery).properties ?? {}).map(([name, schema]) => [
    name,
    { schema, isRequired: false },
  ]);

/** Every parameter of a route: of its path, its query and its headers. */
export function parametersOf(route: Route, members: Members, schemas: Schemas): Json[] {
  const { method, operation, about } = route;
  const inQuery = method === 'GET' || method === 'DELETE' || about.takesBytes;
  const query = [
    ...(inQuery ? members.rest : []),
    ...(about.query ? membersIn(about.query, schemas) : []),
    ...(about.isList ? pagingMembers(schemas) : []),
  ];
  return [
    ...[...members.path].map(([name, member]) => parameter('path', name, { ...member, isRequired: true })),
    // What is given twice is described by the later one.
    ...[...new Map(query)].map(([name, member]) => parameter('query', name, member)),
    ...(operation?.kind === 'command' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(operation?.versioned ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...(method === 'GET' && isVersioned(about) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ];
}

/** Whether an answer shows one resource that counts its changes. */
export const isVersioned = ({ shape, isList }: Route['about']): boolean =>
  !isList && shape?.().meta()?.isVersioned === true;

function parameter(place: 'path' | 'query', name: string, { schema, isRequired }: Member): Json {
  const { description, ...rest } = withoutNull(schema);
  return { name, in: place, ...(isRequired && { required: true }), description, schema: rest };
}

/** There is no null in an address. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(type)) {
    const [only, ...others] = type.filter((each) => each !== 'null');
    return { ...rest, type: others.length === 0 && only ? only : type };
  }
  const branches = anyOf?.filter((branch) => branch.type !== 'null') ?? [];
  const [branch] = branches;
  if (branches.length !== 1 || !branch) return schema;
  return { ...branch, ...rest };
}

const header = (name: string, description: string, schema: JsonSchema): Json => ({
  name,
  in: 'header',
  description,
  schema,
});

/** Parameters that many routes share, by their name in the document. */
export const SHARED_PARAMETERS: Json = {
  IdempotencyKey: header(
    'Idempotency-Key',
    'A text of your choice, new for each thing to be done: the request is done at most once under it within 24 hours, ' +
      'and a repetition gets the first answer. Another request under the same key is a conflict.',
    { type: 'string', minLength: 1, maxLength: 255 },
  ),
  IfMatch: header(
    'If-Match',
    'The `ETag` of an earlier answer: the request is done only while the resource is still in that version, else it is 412.',
    { type: 'string' },
  ),
  IfNoneMatch: header(
    'If-None-Match',
    'The `ETag` of an earlier answer: if this one would say the same, it is 304 without a body.',
    { type: 'string' },
  ),
};
