import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { describeApi } from '../src/describe-api.ts';
import { byAddress } from './by-address.ts';
import type { RestAnswer } from './client.ts';

/** What our own description says of an operation. */
export interface Described {
  operationId: string;
  method: string;
  /** With `{name}` for parameters. */
  path: string;
  responses: Record<string, Answer>;
  requestBody?: { required?: boolean; content: Record<string, { schema?: object; example?: unknown }> };
  parameters?: { name?: string; in?: string; $ref?: string; description?: string; schema?: object }[];
  description: string;
  tags: string[];
}

interface Answer {
  $ref?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: object; example?: unknown }>;
}

let known: ReturnType<typeof read> | undefined;

/** The description in which answers hold nothing that it does not name. */
export const description = () => {
  known ??= read();
  return known;
};

function read() {
  const document = describeApi({ publicUrl: 'http://localhost:4000' }, { isClosed: true });
  const paths = document.paths as Record<string, Record<string, Omit<Described, 'method' | 'path'>>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Described => ({
        method: method.toUpperCase(),
        path,
        ...operation,
      }),
    ),
  );
  // Most schemas are compiled for a few answers.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'description.json', components: document.components });
  return { document, operations, find: byAddress(operations), ajv, compiled: new Map<string, ValidateFunction>() };
}

/** What a value has that its schema in the description does not allow. */
export function faultsBy(name: string, schema: object, value: unknown): string[] {
  const { ajv, compiled } = description();
  // References begin at the document.
  const referring = () => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"description.json#/'));
  const validate = compiled.get(name) ?? ajv.compile(referring());
  compiled.set(name, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const detail = params.additionalProperty ?? params.unevaluatedProperty ?? params.allowedValues ?? '';
    return `${instancePath || '/'} ${message} ${detail}`;
  });
}

/** What the server refuses before it knows the address (RFC 6585, 5). */
const TOO_LARGE_HEADERS = 431;

/** Expects an answer to be one that the description of its address has: the status, the body, and no more than that. */
export function expectDescribed(method: string, address: string, { status, headers, body }: RestAnswer): void {
  const [operation] = description().find(method, new URL(address, 'http://localhost').pathname);
  if (!operation) return;
  const { operationId, responses } = operation;
  const found = responses[status];
  if (status === TOO_LARGE_HEADERS) return;
  if (!found) {
    expect.fail(`${operationId} answers ${status}, and is described with ${Object.keys(responses).join(', ')}.`);
  }
  const answer = found.$ref === undefined ? found : shared(found.$ref);
  if (headers.has('etag'))
    expect([operationId, status, answer.headers]).toMatchObject([operationId, status, { ETag: {} }]);
  const content = answer.content?.['application/json'];
  if (!content) {
    if (!answer.content) expect([operationId, status, body]).toEqual([operationId, status, '']);
    return;
  }
  const faults = faultsBy(`${operationId} ${status}`, content.schema ?? {}, body);
  if (faults.length > 0) {
    expect.fail(`The answer ${status} of ${operationId} is not as described:\n  ${[...new Set(faults)].join('\n  ')}`);
  }
}

function shared(reference: string): Answer {
  const { responses } = description().document.components as { responses: Record<string, Answer> };
  const found = responses[reference.split('/').at(-1) ?? ''];
  if (!found) expect.fail(`There is no ${reference}.`);
  return found;
}
