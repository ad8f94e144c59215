import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import type { z } from 'zod';
import { unwrap } from '../../src/platform/graphql/input.ts';
import type { Route } from '../../src/platform/http/route.ts';
import type { IdPrefix } from '../../src/platform/ids/ids.ts';
import type { Operation } from '../../src/platform/operation/operation.ts';
import { schema } from '../../src/schema.ts';
import type { Client, RestAnswer } from '../client.ts';
import { absentIds, type Ids, prefixOfName } from './furnish.ts';

/** The kind of object that a member of an input identifies, if it is an id. */
export function prefixOfMember({ input }: Operation, member: string): IdPrefix | undefined {
  const schema = input.shape[member] as z.ZodType | undefined;
  return schema && (unwrap(schema).inner.meta()?.prefix as IdPrefix | undefined);
}

/** The key in `Ids` of what a parameter of a path identifies: by the operation's input, or else by its name. */
export function kindOfParameter(
  { operation, about }: Route,
  name: string,
): Exclude<keyof Ids, 'inChangeRequest' | 'publishedUrl'> | undefined {
  if (name === 'path' || name === 'specSlug' || name === 'hostname') return name;
  return (operation && prefixOfMember(operation, about.rename?.[name] ?? name)) ?? prefixOfName(name);
}

/** The parameters of a path. */
export const parametersOf = ({ path }: Route) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/** The ids for a request to a route. */
export const idsFor = ({ path }: Route, ids: Ids): Ids =>
  path.includes(':changeRequestId') ? { ...ids, ...ids.inChangeRequest } : ids;

const idOfKind = (kind: IdPrefix, ids: Ids) => ids[kind] ?? absentIds[kind];

function parameter(route: Route, name: string, ids: Ids): string {
  const kind = kindOfParameter(route, name);
  return (kind && (ids[kind] ?? absentIds[kind])) ?? 'something';
}

function idNamed(name: string, ids: Ids): string {
  const kind = prefixOfName(name);
  return (kind && idOfKind(kind, ids)) ?? 'something';
}

/**
 * What some routes cannot do without, beside the ids in their path; `furnish` has pixels, and nobody answers at port 9.
 */
const QUERIES: Record<string, string> = {
  getEmbedByUrl: '?url=http://127.0.0.1:9/',
  getEmbedByUrlInSpace: '?url=http://127.0.0.1:9/',
  searchSpaceContent: '?query=pixel',
  searchOrganizationContent: '?query=pixel',
  getOpenAPIOperation: '?path=/pets&method=get',
  getSiteRedirectBySource: '?source=/old',
  getContentByUrl: '?url=http://localhost:0/v1/spaces/:space',
  getPublishedContentByUrl: '?url=:published',
};

/** The address of a route with ids for its parameters and the query that it requires. */
export function addressOf(route: Route, ids: Ids): string {
  const there = idsFor(route, ids);
  const address = route.path.replace(/:(\w+)/g, (_whole, name) => parameter(route, name, there));
  const query = (QUERIES[route.operationId] ?? '')
    .replace(':space', there.space ?? '')
    .replace(':published', there.publishedUrl ?? '');
  return address + query;
}

/** Calls a route with ids for its parameters and the query that it requires. Without a body, unless one is given. */
export function callRoute(
  client: Client,
  route: Route,
  ids: Ids,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<RestAnswer> {
  const { method } = route;
  return client.send(
    method,
    addressOf(route, ids),
    method === 'GET' || method === 'DELETE' ? undefined : (body ?? {}),
    headers,
  );
}

/**
 * Calls a mutation with what is given, and what its type asks for: ids by the kinds of their members, else examples.
 * The target is given too, where it can be named in several ways; `isTargeted` leaves it out.
 */
export async function callMutation(
  client: Client,
  operation: Operation,
  ids: Ids,
  given: Record<string, unknown> = {},
  isTargeted = true,
): Promise<RestAnswer> {
  const { operationName: name } = operation;
  const input = inputOf(operation);
  const query = `mutation ($input: ${input.type}) { ${name}(input: $input) { clientMutationId ${deletedId(name)} ${RESULTS[name] ?? ''} } }`;
  const fields = Object.values((getNullableType(input.type) as GraphQLInputObjectType).getFields()); // of every mutation
  const required = fields
    .filter((member) => isRequiredInputField(member))
    .map((member) => {
      const prefix = prefixOfMember(operation, member.name);
      return [member.name, prefix ? idOfKind(prefix, ids) : exampleOf(member.type, member.name, ids)];
    });
  const target = isTargeted ? targetOf(operation, ids) : {};
  return client.graphqlRaw(query, { input: { ...Object.fromEntries(required), ...target, ...given } });
}

function inputOf({ operationName: name }: Operation) {
  const field = schema.getMutationType()?.getFields()[name];
  const input = field?.args.find((argument) => argument.name === 'input');
  if (!input) throw new Error(`${name} is no mutation with an input.`);
  return input;
}

/** Members that name the target of an operation and are not required, or are no ids. */
const TARGETS: Record<string, string[]> = {
  postComment: ['spaceId'],
  grantPermission: ['spaceId'],
  revokePermission: ['spaceId', 'userId'],
  setOpenApiSpecSource: ['slug'],
  updateOpenApiSpec: ['slug'],
  deleteOpenApiSpec: ['openApiSpecId'],
  updateMember: ['memberId'],
  removeMember: ['memberId'],
  verifyCustomHostname: ['hostname'],
  removeCustomHostname: ['hostname'],
};

const targetOf = (operation: Operation, ids: Ids) =>
  Object.fromEntries(
    (TARGETS[operation.operationName] ?? []).map((member) => {
      const prefix = prefixOfMember(operation, member);
      const named = member === 'hostname' ? ids.hostname : ids.specSlug;
      return [member, prefix ? idOfKind(prefix, ids) : (named ?? 'something')];
    }),
  );

/** The texts among the members of a mutation's input. Its target is none, even where it has a name. */
export function textsOf(operation: Operation): string[] {
  const fields = Object.values((getNullableType(inputOf(operation).type) as GraphQLInputObjectType).getFields()); // of every mutation
  const others = ['idempotencyKey', 'expectedVersion', ...(TARGETS[operation.operationName] ?? [])];
  return fields
    .filter(({ name, type }) => getNullableType(type).toString() === 'String' && !others.includes(name))
    .map(({ name }) => name);
}

/** Mutations that answer for each part of their input, and what they say of the parts. */
export const RESULTS: Record<string, string> = { upsertSiteRedirects: 'results { status error }' };

/** Deletions say what they deleted. */
export const isDeletion = (name: string) => /^(delete|remove|revoke)/.test(name);

const deletedId = (name: string) => (isDeletion(name) ? 'deletedId' : '');

const SCALARS: Record<string, unknown> = {
  String: 'Example',
  Int: 1,
  Float: 1,
  Boolean: false,
  DateTime: '2030-01-01T00:00:00.000Z',
  URL: 'https://example.com/',
  EmailAddress: 'somebody@example.com',
  JSON: {},
  JSONObject: {},
};

function exampleOf(type: GraphQLInputType, name: string, ids: Ids): unknown {
  if (isNonNullType(type)) return exampleOf(type.ofType, name, ids);
  if (isListType(type)) return [exampleOf(type.ofType, name, ids)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (!isInputObjectType(type)) return type.name === 'ID' ? idNamed(name, ids) : SCALARS[type.name];
  const fields = Object.values(type.getFields());
  const wanted = type.isOneOf ? fields.slice(0, 1) : fields.filter((field) => isRequiredInputField(field));
  return Object.fromEntries(wanted.map((field) => [field.name, exampleOf(field.type, field.name, ids)]));
}

/** An id inside an input: in a list, or in an object below it. */
export interface InnerId {
  path: string[];
  prefix: IdPrefix;
}

const MAX_INNER_DEPTH = 4;

/** The ids inside the input of a mutation, besides those that are members of it by themselves. */
export function innerIdsOf(operation: Operation): InnerId[] {
  const [target] = Object.keys(operation.input.shape).map((member) => prefixOfMember(operation, member));
  const walk = (type: GraphQLInputType, path: string[]): InnerId[] => {
    const named = getNamedType(type);
    if (isInputObjectType(named)) {
      if (path.length >= MAX_INNER_DEPTH) return [];
      return Object.values(named.getFields()).flatMap((field) => walk(field.type, [...path, field.name]));
    }
    const [name = ''] = path.slice(-1);
    // Positions are beside others of the kind that is moved.
    const prefix = ['beforeId', 'afterId'].includes(name) ? target : prefixOfName(name);
    const isMember = path.length === 1 && !isListType(getNullableType(type));
    return named.name === 'ID' && prefix && !isMember ? [{ path, prefix }] : [];
  };
  return walk(inputOf(operation).type, []);
}

/** The members of the input of a mutation that an id inside of it needs, with examples beside it. */
export function withInnerId(operation: Operation, { path }: InnerId, id: string, ids: Ids): Record<string, unknown> {
  const put = (type: GraphQLInputType, [name, ...rest]: string[]): unknown => {
    if (isNonNullType(type)) return put(type.ofType, [name as string, ...rest]);
    if (isListType(type)) return [name === undefined ? id : put(type.ofType, [name, ...rest])];
    if (!isInputObjectType(type) || name === undefined) return id;
    const { [name]: field, revisionId } = type.getFields();
    const beside = type.isOneOf ? {} : (exampleOf(type, '', ids) as object); // an input object
    // Outside of change requests, pages are reverted to a revision that is named.
    return { ...beside, ...(revisionId && { revisionId: ids.rev }), [name]: field && put(field.type, rest) };
  };
  const [member = ''] = path;
  const made = put(inputOf(operation).type, path) as Record<string, unknown>; // the input is an object
  return { [member]: made[member] };
}
