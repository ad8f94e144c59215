import { isJsonRecord, type JsonRecord, type JsonValue } from './read-source.ts';
import type { Specification } from './specification.ts';

export type OperationKind = 'path' | 'webhook';

/** An operation of a specification, with what it inherits from its path and from the specification. */
export interface FoundOperation {
  kind: OperationKind;
  /** In lower case. */
  method: string;
  /** The path, or the name of the webhook. */
  path: string;
  operationId: string | null;
  summary: string | null;
  tags: string[];
  isDeprecated: boolean;
  /** Whether it is left out of pages, by `x-internal` or `x-gitbook-ignore`. */
  isInternal: boolean;
  /** The Operation Object with the parameters of its path, its servers and its security. References are unresolved. */
  body: JsonRecord;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const;

/** Operations of one specification. Those beyond are left out. */
const MAX_OPERATIONS = 20_000;

/** All operations in the order of the specification, then all webhooks. */
export function operationsOf(specification: Specification): FoundOperation[] {
  const { document } = specification;
  const webhooks = { ...recordOf(document['x-webhooks']), ...recordOf(document.webhooks) };
  const operations = [
    ...operationsOfItems(specification, recordOf(document.paths), 'path'),
    ...operationsOfItems(specification, webhooks, 'webhook'),
  ];
  return operations.slice(0, MAX_OPERATIONS);
}

const recordOf = (value: JsonValue | undefined): JsonRecord => (isJsonRecord(value) ? value : {});

/** The operations of Path Item Objects by their paths or names. */
export function operationsOfItems(
  specification: Specification,
  items: JsonRecord,
  kind: OperationKind,
): FoundOperation[] {
  return Object.entries(items).flatMap(([path, value]) => {
    const item = specification.follow(value);
    if (!item || path.startsWith('x-')) return [];
    const methods = [
      ...METHODS.map((method) => [method, item[method]] as const),
      ...Object.entries(recordOf(item.additionalOperations)).map(
        ([method, body]) => [method.toLowerCase(), body] as const,
      ),
    ];
    return methods.flatMap(([method, operation]) =>
      isJsonRecord(operation) ? [describeOperation(specification, { kind, method, path, item, operation })] : [],
    );
  });
}

interface Place {
  kind: OperationKind;
  method: string;
  path: string;
  item: JsonRecord;
  operation: JsonRecord;
}

function describeOperation(
  specification: Specification,
  { kind, method, path, item, operation }: Place,
): FoundOperation {
  const { document } = specification;
  const parameters = mergedParameters(specification, item.parameters, operation.parameters);
  const inherited = {
    servers: operation.servers ?? item.servers ?? document.servers,
    security: operation.security ?? document.security,
  };
  const body = { ...operation, ...(parameters.length > 0 && { parameters }) };
  for (const [name, value] of Object.entries(inherited))
    if (value !== undefined) Object.assign(body, { [name]: value });
  return {
    kind,
    method,
    path,
    operationId: nonBlankText(operation.operationId),
    summary: nonBlankText(operation.summary) ?? nonBlankText(item.summary),
    tags: Array.isArray(operation.tags) ? operation.tags.filter((tag) => typeof tag === 'string') : [],
    isDeprecated: operation.deprecated === true,
    isInternal: isMarkedInternal(operation) || isMarkedInternal(item),
    body,
  };
}

/** Whether an object is left out of pages. */
export const isMarkedInternal = (value: JsonRecord) =>
  value['x-internal'] === true || value['x-gitbook-ignore'] === true;

export const nonBlankText = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

/** Parameters of the operation override those of its path with the same name and place. */
function mergedParameters(specification: Specification, ofPath: JsonValue | undefined, own: JsonValue | undefined) {
  const merged = new Map<string, JsonValue>();
  for (const parameter of [...listOf(ofPath), ...listOf(own)]) {
    const target = specification.follow(parameter);
    merged.set(target ? `${target.in} ${target.name}` : JSON.stringify(parameter), parameter);
  }
  return [...merged.values()];
}

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
