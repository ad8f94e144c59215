import { SchemaComparison } from './compare-schemas.ts';
import { type FoundOperation, operationsOf } from './operations.ts';
import { schemasOf } from './outline.ts';
import { isRecord, type JsonRecord, type JsonValue } from './read-source.ts';
import type { Specification } from './specification.ts';

export type ChangeSubject = 'operation' | 'webhook' | 'schema';
export type ChangeKind = 'added' | 'removed' | 'changed';

/** A change of an operation, webhook or schema between two versions. */
export interface SpecificationChange {
  subject: ChangeSubject;
  kind: ChangeKind;
  /** `GET /pets`, the name of the webhook with its method, or the name of the schema. */
  name: string;
  isBreaking: boolean;
  /** What changed, breaking reasons first. */
  reasons: { message: string; isBreaking: boolean }[];
}

const MAX_REASONS = 50;
const MAX_CHANGES = 5_000;

/**
 * The changes from one version to another: operations, webhooks and schemas that were added, removed or changed, in this
 * order, breaking changes first. A change is breaking if a client that follows the earlier version can fail: by sending
 * what is not accepted anymore, or by missing what it could rely on in responses.
 */
export function compareSpecifications(before: Specification, after: Specification): SpecificationChange[] {
  const schemas = new SchemaComparison(before, after);
  const [old, now] = [before, after].map(
    (each) => new Map(operationsOf(each).map((operation) => [nameOf(operation), operation])),
  );
  const changes: SpecificationChange[] = [];
  for (const [name, operation] of old ?? []) {
    const subject = operation.kind === 'webhook' ? ('webhook' as const) : ('operation' as const);
    const other = now?.get(name);
    if (!other) changes.push(removed(subject, name));
    else
      add(changes, { subject, kind: 'changed', name }, compareOperations({ before, after, schemas }, operation, other));
  }
  for (const [name, { kind }] of now ?? []) {
    if (!old?.has(name)) changes.push(added(kind === 'webhook' ? 'webhook' : 'operation', name));
  }
  const [oldSchemas, newSchemas] = [schemasOf(before.document), schemasOf(after.document)];
  for (const [name, schema] of Object.entries(oldSchemas)) {
    if (!(name in newSchemas)) changes.push({ ...removed('schema', name), isBreaking: false });
    else if (JSON.stringify(schema) !== JSON.stringify(newSchemas[name])) {
      add(changes, { subject: 'schema', kind: 'changed', name }, schemaReasons(schemas, schema, newSchemas[name]));
    }
  }
  for (const name of Object.keys(newSchemas)) if (!(name in oldSchemas)) changes.push(added('schema', name));
  return changes.toSorted((a, b) => Number(b.isBreaking) - Number(a.isBreaking)).slice(0, MAX_CHANGES);
}

type Reason = SpecificationChange['reasons'][number];

const nameOf = ({ method, path }: FoundOperation) => `${method.toUpperCase()} ${path}`;
const removed = (subject: ChangeSubject, name: string): SpecificationChange => ({
  subject,
  kind: 'removed',
  name,
  isBreaking: true,
  reasons: [],
});
const added = (subject: ChangeSubject, name: string): SpecificationChange => ({
  subject,
  kind: 'added',
  name,
  isBreaking: false,
  reasons: [],
});

function add(
  changes: SpecificationChange[],
  change: Pick<SpecificationChange, 'subject' | 'kind' | 'name'>,
  reasons: Reason[],
): void {
  if (reasons.length === 0) return;
  const unique = [...new Map(reasons.map((reason) => [reason.message, reason])).values()];
  const sorted = unique.toSorted((a, b) => Number(b.isBreaking) - Number(a.isBreaking)).slice(0, MAX_REASONS);
  changes.push({ ...change, isBreaking: sorted.some(({ isBreaking }) => isBreaking), reasons: sorted });
}

/** A schema may be used in requests and in responses. */
function schemaReasons(schemas: SchemaComparison, before: JsonValue, after: JsonValue | undefined): Reason[] {
  const found = (['request', 'response'] as const).flatMap((direction) =>
    schemas.differences(before, after, direction).map(({ place, message, isBreaking }) => ({
      message: `${place === '' ? '' : `${place}: `}${message}${isBreaking ? ` (in ${direction}s)` : ''}`,
      isBreaking,
    })),
  );
  const breaking = new Set(
    found.filter(({ isBreaking }) => isBreaking).map(({ message }) => message.replace(/ \(in \w+\)$/, '')),
  );
  const reasons = found.filter(({ message, isBreaking }) => isBreaking || !breaking.has(message));
  return reasons.length > 0 ? reasons : [{ message: 'description or other annotations changed', isBreaking: false }];
}

interface Versions {
  before: Specification;
  after: Specification;
  schemas: SchemaComparison;
}

function compareOperations(
  versions: Versions,
  { body: before }: FoundOperation,
  { body: after }: FoundOperation,
): Reason[] {
  const isNowDeprecated = after.deprecated === true && before.deprecated !== true;
  return [
    ...(isNowDeprecated ? [{ message: 'operation is now deprecated', isBreaking: false }] : []),
    ...parameterReasons(versions, before, after),
    ...bodyReasons(versions, before.requestBody, after.requestBody),
    ...responseReasons(versions, recordOf(before.responses), recordOf(after.responses)),
    ...securityReasons(before.security, after.security),
  ];
}

function parameterReasons({ before, after, schemas }: Versions, old: JsonRecord, now: JsonRecord): Reason[] {
  const [was, is] = [parametersOf(before, old), parametersOf(after, now)];
  const reasons: Reason[] = [];
  for (const [name, parameter] of was) {
    const other = is.get(name);
    if (!other) reasons.push({ message: `${name}: parameter removed`, isBreaking: false });
    else {
      if (other.required === true && parameter.required !== true) {
        reasons.push({ message: `${name}: parameter is now required`, isBreaking: true });
      }
      reasons.push(...named(name, schemas.differences(parameter.schema, other.schema, 'request')));
    }
  }
  for (const [name, { required }] of is) {
    if (was.has(name)) continue;
    const isBreaking = required === true;
    reasons.push({ message: `${name}: ${isBreaking ? 'new required parameter' : 'parameter added'}`, isBreaking });
  }
  return reasons;
}

function parametersOf(specification: Specification, { parameters }: JsonRecord): Map<string, JsonRecord> {
  const found = (Array.isArray(parameters) ? parameters : [])
    .map((each) => specification.follow(each))
    .filter((parameter) => parameter !== undefined);
  return new Map(found.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
}

function bodyReasons(
  { before, after, schemas }: Versions,
  old: JsonValue | undefined,
  now: JsonValue | undefined,
): Reason[] {
  const [was, is] = [before.follow(old), after.follow(now)];
  if (!is) return was ? [{ message: 'request body removed', isBreaking: true }] : [];
  const isNowRequired = is.required === true && was?.required !== true;
  return [
    ...(isNowRequired ? [{ message: 'request body is now required', isBreaking: true }] : []),
    ...(was ? contentReasons(schemas, was.content, is.content, { direction: 'request', name: 'request body' }) : []),
  ];
}

function responseReasons({ before, after, schemas }: Versions, old: JsonRecord, now: JsonRecord): Reason[] {
  const reasons: Reason[] = [];
  for (const [status, response] of Object.entries(old)) {
    if (!(status in now)) {
      reasons.push({ message: `response ${status} removed`, isBreaking: true });
      continue;
    }
    const [was, is] = [before.follow(response), after.follow(now[status])];
    const terms = { direction: 'response' as const, name: `response ${status}` };
    reasons.push(...contentReasons(schemas, was?.content, is?.content, terms));
  }
  for (const status of Object.keys(now)) {
    if (!(status in old)) reasons.push({ message: `response ${status} added`, isBreaking: false });
  }
  return reasons;
}

function contentReasons(
  schemas: SchemaComparison,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  { direction, name }: { direction: 'request' | 'response'; name: string },
): Reason[] {
  const [was, is] = [recordOf(before), recordOf(after)];
  const kept = Object.entries(was).flatMap(([type, media]) => {
    if (!(type in is)) return [{ message: `${name}: content type ${type} removed`, isBreaking: true }];
    return named(name, schemas.differences(recordOf(media).schema, recordOf(is[type]).schema, direction));
  });
  const fresh = Object.keys(is).filter((type) => !(type in was));
  return [...kept, ...fresh.map((type) => ({ message: `${name}: content type ${type} added`, isBreaking: false }))];
}

/** Breaking if a way to authenticate is gone. Without security, and with an empty requirement, none is needed. */
function securityReasons(before: JsonValue | undefined, after: JsonValue | undefined): Reason[] {
  const waysOf = (security: JsonValue | undefined) =>
    new Set(Array.isArray(security) && security.length > 0 ? security.map((way) => JSON.stringify(way)) : ['{}']);
  const [was, is] = [waysOf(before), waysOf(after)];
  const isBreaking = !is.has('{}') && [...was].some((way) => !is.has(way));
  const isSame = was.size === is.size && [...was].every((way) => is.has(way));
  return isSame ? [] : [{ message: 'security changed', isBreaking }];
}

const named = (name: string, differences: { place: string; message: string; isBreaking: boolean }[]): Reason[] =>
  differences.map(({ place, message, isBreaking }) => ({
    message: `${name}${place === '' ? '' : ` ${place}`}: ${message}`,
    isBreaking,
  }));

const recordOf = (value: JsonValue | undefined): JsonRecord => (isRecord(value) ? value : {});

/** Number of changes, for summaries. */
export const countBreaking = (changes: readonly SpecificationChange[]) =>
  changes.filter(({ isBreaking }) => isBreaking).length;

/** The changes as Markdown: a list of breaking changes, and one of the others. */
export function changesAsMarkdown(changes: readonly SpecificationChange[]): string {
  const lists = [
    ['Breaking changes', changes.filter(({ isBreaking }) => isBreaking)],
    ['Other changes', changes.filter(({ isBreaking }) => !isBreaking)],
  ] as const;
  const parts = lists.flatMap(([heading, items]) =>
    items.length === 0 ? [] : [`## ${heading}\n\n${items.map(item).join('\n')}\n`],
  );
  return parts.length === 0 ? 'Nothing changed.\n' : parts.join('\n');
}

function item({ subject, kind, name, reasons }: SpecificationChange): string {
  const lines = reasons.map(
    ({ message, isBreaking }) => `  * ${isBreaking ? '**' : ''}${escaped(message)}${isBreaking ? '**' : ''}`,
  );
  return [`* ${subject} \`${name.replaceAll('`', "'")}\` ${kind}`, ...lines].join('\n');
}

const escaped = (text: string) => text.replace(/[\\`*_{}[\]<>|]/g, '\\$&').replace(/\s+/g, ' ');
