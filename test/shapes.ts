import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { byAddress } from './by-address.ts';

/** A path of REST as the published description has it; `responses` by status, null for an answer without a body. */
export interface DescribedOperation {
  operationId: string;
  method: string;
  /** With `{name}` for parameters. */
  path: string;
  responses: Record<string, object | null>;
}

type Descriptions = 'operations' | 'beyond-operations';

const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, 'spec', `${name}.json`), 'utf8'));

const cached = new Map<string, unknown>();

/** Read once, and only by the files that check shapes. */
function once<Value>(key: string, make: () => Value): Value {
  if (!cached.has(key)) cached.set(key, make());
  return cached.get(key) as Value; // keys name one type each, below
}

/** Every description of an operation: of the specification, and of the newest public client (`beyond`). */
export function descriptionsOf(operationId: string, { beyond = false } = {}): DescribedOperation[] {
  const files: Descriptions[] = beyond ? ['beyond-operations', 'operations'] : ['operations', 'beyond-operations'];
  return files.flatMap((file) => describedIn(file).filter((operation) => operation.operationId === operationId));
}

const describedIn = (file: Descriptions) => once(file, () => read(file) as DescribedOperation[]);

/** The description of an address, or undefined where it has none. */
export function describedAt(method: string, path: string): DescribedOperation | undefined {
  const find = once('addresses', () => byAddress([...describedIn('operations'), ...describedIn('beyond-operations')]));
  return find(method, path.split('?', 1)[0] ?? '')[0];
}

/**
 * Expects the body of an answer to have the shape of its operation. With `beyond` it is the shape that the newest
 * public client reads. Statuses of errors that the operation does not list have the one error body.
 */
export function expectShape(
  operationId: string,
  status: number,
  body: unknown,
  options: { beyond?: boolean } = {},
): void {
  const [operation] = descriptionsOf(operationId, options);
  if (!operation) expect.fail(`There is no description of ${operationId}.`);
  const isMistaken = MISTAKEN.has(`${operationId} ${status}`);
  const schema = (isMistaken ? undefined : operation.responses[status]) ?? (status >= 400 ? ERROR : undefined);
  // Conditional reads are no operation's matter: 304 is without a body everywhere (RFC 9110, 15.4.5).
  if (operation.responses[status] === null || status === 304) {
    expect(body, `${operationId} answers ${status} with a body`).toBe('');
    return;
  }
  if (!schema && OURS.has(`${operationId} ${status}`)) return;
  const statuses = Object.keys(operation.responses).join(', ');
  if (!schema) expect.fail(`${operationId} does not answer ${status} but ${statuses}.`);
  if ('contentType' in schema) return;
  const faults = faultsOf(`${operationId} ${status} ${options.beyond}`, schema, body);
  if (faults.length > 0) {
    expect.fail(`The answer ${status} of ${operationId} has another shape:\n  ${faults.join('\n  ')}`);
  }
}

/** Answers that only this service has. Its own description has their shape. */
const OURS = new Set([
  ...['importContent', 'importContentInChangeRequest'].flatMap((name) => [`${name} 200`, `${name} 202`]),
  'applyTemplateToSpace 200',
]);

/** Errors whose description has the code of another status. */
const MISTAKEN = new Set(['dnsRevalidateCustomHostname 400']);

/** One error body everywhere. */
const ERROR = { $ref: 'schemas.json#/$defs/Error' };

function faultsOf(name: string, schema: object, body: unknown): string[] {
  const validate = once(name, () => compile(schema));
  return validate(body) ? [] : report(validate.errors ?? []);
}

let compiled = 0;

/** References are written `schemas.json#/$defs/X`, which an id at the same level resolves. */
const compile = (schema: object): ValidateFunction =>
  once('ajv', makeAjv).compile({ $id: `operation-${compiled++}.json`, ...schema });

function makeAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  addFormats.default(ajv);
  // An emoji or its code, and the name of an icon: their shapes are not fixed.
  for (const format of ['emoji', 'icon']) ajv.addFormat(format, true);
  for (const file of ['schemas', 'beyond-schemas']) ajv.addSchema(withExternalLinks(read(file)), `${file}.json`);
  return ajv;
}

/** External links stand among sections and groups for all clients; only the newest description knows them. */
function withExternalLinks<Schemas extends { $defs: Record<string, Union> }>(schemas: Schemas): Schemas {
  const { SiteExternalLink: link, SiteStructure: structure, SiteSectionGroup: group } = schemas.$defs;
  if (link) return schemas;
  const places = [structure?.oneOf?.[0]?.properties?.structure, group?.properties?.children];
  for (const place of places) place?.items?.oneOf?.push({ $ref: 'beyond-schemas.json#/$defs/SiteExternalLink' });
  return schemas;
}

/** The parts of a schema that `withExternalLinks` walks through. */
interface Union {
  $ref?: string;
  oneOf?: Union[];
  properties?: Record<string, Union>;
  items?: Union;
}

const TAG = /\/(type|kind|object|rule|status|backend|event)$/;
const isTag = ({ keyword, instancePath }: ErrorObject) => ['enum', 'const'].includes(keyword) && TAG.test(instancePath);

/** What tells something: the deepest faults, and of a union only those of the branch whose tag fits. */
function report(errors: ErrorObject[]): string[] {
  const faults = errors.filter(({ keyword }) => !['anyOf', 'oneOf', 'not', 'if'].includes(keyword));
  const unmeant = faults
    .filter(isTag)
    .map(({ schemaPath }) => schemaPath.replace(/\/properties\/[^/]+\/(enum|const)$/, ''));
  const isMeant = ({ schemaPath }: ErrorObject) => !unmeant.some((branch) => schemaPath.startsWith(`${branch}/`));
  const meant = faults.filter((fault) => !isTag(fault) && isMeant(fault));
  const shown = [meant, faults, errors].find(({ length }) => length > 0) ?? [];
  const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length;
  const lines = shown.toSorted((left, right) => depth(right) - depth(left)).map(describe);
  return [...new Set(lines)].slice(0, 25);
}

function describe({ instancePath, message, params }: ErrorObject): string {
  const detail =
    params.additionalProperty ?? (params.allowedValues && JSON.stringify(params.allowedValues).slice(0, 160));
  return `${instancePath || '/'} ${message}${detail ? ` (${detail})` : ''}`;
}
