import {
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import type { Route } from '../../src/platform/http/route.ts';
import type { Operation } from '../../src/platform/operation.ts';
import { schema } from '../../src/schema.ts';
import type { Client, RestAnswer } from '../client.ts';
import { absentIds, type Ids, prefixOfName } from './furnish.ts';

function idNamed(name: string, ids: Ids): string {
  const kind = name === 'path' || name === 'specSlug' || name === 'hostname' ? name : prefixOfName(name);
  return (kind && (ids[kind] ?? absentIds[kind])) ?? (name === 'versionId' ? 'latest' : 'something');
}

/** Calls a route with ids for its parameters, and nothing else unless a body is given. */
export function callRoute(
  client: Client,
  { method, path }: Route,
  ids: Ids,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<RestAnswer> {
  const there = path.includes(':changeRequestId') ? { ...ids, ...ids.inChangeRequest } : ids;
  const address = path.replace(/:(\w+)/g, (_whole, name) => idNamed(name, there));
  return client.send(method, address, method === 'GET' || method === 'DELETE' ? undefined : (body ?? {}), headers);
}

/** Calls a mutation with what is given, and what its type asks for: ids by the names of their members, else examples. */
export async function callMutation(
  client: Client,
  { operationName: name }: Operation,
  ids: Ids,
  given: Record<string, unknown> = {},
): Promise<RestAnswer> {
  const field = schema.getMutationType()?.getFields()[name];
  const input = field?.args.find((argument) => argument.name === 'input');
  if (!input) throw new Error(`${name} is no mutation with an input.`);
  const query = `mutation ($input: ${input.type}) { ${name}(input: $input) { clientMutationId ${deletedId(name)} } }`;
  const example = { ...(exampleOf(input.type, 'input', ids) as object), ...targetOf(name, ids), ...given }; // an input object
  return client.graphqlRaw(query, { input: example });
}

/** Inputs that name their target by one of several members, none of them by itself required. */
const ONE_TARGET_OF_SEVERAL: Record<string, string[]> = {
  postComment: ['spaceId'],
  grantPermission: ['spaceId'],
  revokePermission: ['spaceId', 'userId'],
  deleteOpenApiSpec: ['openApiSpecId'],
  updateMember: ['memberId'],
  removeMember: ['memberId'],
  verifyCustomHostname: ['hostname'],
  removeCustomHostname: ['hostname'],
};

const targetOf = (operationName: string, ids: Ids): Record<string, string> =>
  Object.fromEntries((ONE_TARGET_OF_SEVERAL[operationName] ?? []).map((member) => [member, idNamed(member, ids)]));

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
