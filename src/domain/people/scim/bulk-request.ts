import { isRecord } from '../../../lib/is-record.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError, notFound } from '../../../platform/errors/errors.ts';
import { ScimError, tooLarge } from '../../../platform/errors/scim-error.ts';
import { objectIn } from './document.ts';
import { patchOperations } from './patch-request.ts';
import type { Provisioned } from './provision.ts';
import { createGroup, deleteGroup, patchGroup, replaceGroup } from './write-group.ts';
import { createScimUser, deleteUser, patchUserBy, replaceUser } from './write-user.ts';

const BULK_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const BULK_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

export const MAX_BULK_OPERATIONS = 100;

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** An operation of a bulk request, whose references are not resolved yet. */
interface BulkOperation {
  method: (typeof METHODS)[number];
  kind: 'Users' | 'Groups';
  /** Of the resource in the path. Empty for POST. */
  id: string;
  bulkId: string | undefined;
  version: string | undefined;
  data: unknown;
}

interface Outcome {
  status: number;
  location?: string;
  version?: string;
}

/** Ids of resources that a request has made, by `bulkId`. Null while they are not made. */
type CreatedIds = Map<string, string | null>;

/**
 * Does the operations of a bulk request in their order (RFC 7644, 3.7), each in a transaction of its own. Operations
 * that fail are reported, until there are as many of them as `failOnErrors` says. `bulkId` of an earlier operation
 * stands for the id that it has made. `describeError` gives the status and the body of an error, or throws errors of
 * the service.
 */
export async function bulk(
  ctx: Context,
  provisioned: Provisioned,
  body: unknown,
  describeError: (error: unknown) => { status: string; response: object },
): Promise<object> {
  const { failOnErrors, operations } = bulkRequest(body);
  const created: CreatedIds = new Map(
    operations.flatMap(({ bulkId }) => (bulkId === undefined ? [] : [[bulkId, null]])),
  );
  const results: object[] = [];
  let failed = 0;
  for (const operation of operations) {
    if (failed >= failOnErrors) break;
    const { method, kind, id, bulkId } = operation;
    const name = { method, ...(bulkId !== undefined && { bulkId }) };
    try {
      const { status, ...outcome } = await doOperation(ctx, provisioned, operation, created);
      results.push({ ...name, ...outcome, status: String(status) });
    } catch (error) {
      failed += 1;
      const location = method === 'POST' ? {} : { location: `${provisioned.baseUrl}/${kind}/${id}` };
      results.push({ ...name, ...location, ...describeError(error) });
    }
  }
  return { schemas: [BULK_RESPONSE], Operations: results };
}

function bulkRequest(body: unknown): { failOnErrors: number; operations: BulkOperation[] } {
  const { Operations: items, failOnErrors = Number.POSITIVE_INFINITY } = objectIn(body, BULK_REQUEST);
  if (typeof failOnErrors !== 'number' || failOnErrors < 1)
    throw new ScimError('invalidSyntax', 'failOnErrors: must be a number of at least 1.');
  if (!Array.isArray(items)) throw new ScimError('invalidSyntax', 'Operations: must be a list.');
  if (items.length > MAX_BULK_OPERATIONS)
    throw tooLarge(`A bulk request can have up to ${MAX_BULK_OPERATIONS} operations.`);
  const operations = items.map(bulkOperation);
  const named = operations.flatMap(({ bulkId }) => bulkId ?? []);
  if (new Set(named).size < named.length)
    throw new ScimError('invalidValue', 'bulkId: each must be unique in the request.');
  return { failOnErrors, operations };
}

function bulkOperation(item: unknown, index: number): BulkOperation {
  const wrong = (what: string) => new ScimError('invalidSyntax', `Operations[${index}]: ${what}`);
  if (!isRecord(item)) throw wrong('must be an object.');
  const { method: methodName, path, bulkId, version, data } = item;
  const method = METHODS.find((each) => typeof methodName === 'string' && each === methodName.toUpperCase());
  if (!method) throw wrong(`method must be one of ${METHODS.join(', ')}.`);
  const [, kind, id = ''] =
    typeof path === 'string' ? (/^\/(Users|Groups)(?:\/([^/?#]{1,200}))?$/.exec(path) ?? []) : [];
  if (kind !== 'Users' && kind !== 'Groups')
    throw wrong('path must be "/Users" or "/Groups", or the path of one of them.');
  if ((method === 'POST') !== (id === ''))
    throw wrong(`path ${id === '' ? 'must' : 'must not'} have an id for ${method}.`);
  if (bulkId !== undefined && (typeof bulkId !== 'string' || bulkId === '' || bulkId.length > 200))
    throw wrong('bulkId must be a text of 1 to 200 characters.');
  if (method === 'POST' && bulkId === undefined) throw wrong('bulkId is required for POST.');
  if (version !== undefined && typeof version !== 'string') throw wrong('version must be a text.');
  return { method, kind, id, bulkId, version, data };
}

async function doOperation(
  ctx: Context,
  provisioned: Provisioned,
  { method, kind, id: rawId, bulkId, version, data: rawData }: BulkOperation,
  created: CreatedIds,
): Promise<Outcome> {
  const id = withIds(rawId, created) as string; // texts stay texts
  const data = withIds(rawData, created);
  const name = { id, ifMatch: version };
  const isUser = kind === 'Users';
  if (method === 'POST') {
    const create = isUser ? createScimUser : createGroup;
    const { id: newId, meta } = await create(ctx, provisioned, data, {});
    if (bulkId !== undefined) created.set(bulkId, newId);
    return { status: 201, location: meta.location, version: meta.version };
  }
  const location = `${provisioned.baseUrl}/${kind}/${id}`;
  if (method === 'DELETE') {
    await (isUser ? deleteUser : deleteGroup)(ctx, provisioned, name);
    return { status: 204, location };
  }
  if (method === 'PUT') {
    const { meta } = await (isUser ? replaceUser : replaceGroup)(ctx, provisioned, name, data, {});
    return { status: 200, location, version: meta.version };
  }
  const operations = patchOperations(data);
  if (!isUser) return { status: 204, location, version: await patchGroup(ctx, provisioned, name, operations) };
  const { meta } = await patchUserBy(ctx, provisioned, name, operations, {});
  return { status: 200, location, version: meta.version };
}

const REFERENCE = 'bulkId:';

/** What is nested more deeply has no ids. */
const MAX_DEPTH = 8;

/** A value with the ids of resources in place of references to the operations that have made them. */
function withIds(value: unknown, created: CreatedIds, depth = 0): unknown {
  if (typeof value === 'string')
    return value.startsWith(REFERENCE) ? idOf(value.slice(REFERENCE.length), created) : value;
  if (depth === MAX_DEPTH || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withIds(item, created, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withIds(inner, created, depth + 1)]));
}

function idOf(bulkId: string, created: CreatedIds): string {
  const id = created.get(bulkId);
  if (id === undefined) throw notFound('operation with bulkId', bulkId.slice(0, 200));
  if (id !== null) return id;
  throw new ApiError(
    'CONFLICT',
    `The operation with bulkId "${bulkId}" has failed or comes later. References are resolved to earlier operations.`,
  );
}
