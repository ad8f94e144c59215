import type { SchemaComparison } from './compare-schemas.ts';
import type { FoundOperation } from './operations.ts';
import { isRecord, type JsonRecord, type JsonValue } from './read-source.ts';
import type { Specification } from './specification.ts';

/** A reason why something counts as changed. */
export interface ChangeReason {
  message: string;
  isBreaking: boolean;
}

/** Two versions of a specification. */
export interface Versions {
  before: Specification;
  after: Specification;
  schemas: SchemaComparison;
}

/** What changed from one version of an operation to another. Empty if nothing did. */
export function compareOperations(
  versions: Versions,
  { body: before }: FoundOperation,
  { body: after }: FoundOperation,
): ChangeReason[] {
  const isNowDeprecated = after.deprecated === true && before.deprecated !== true;
  return [
    ...(isNowDeprecated ? [{ message: 'operation is now deprecated', isBreaking: false }] : []),
    ...parameterReasons(versions, before, after),
    ...bodyReasons(versions, before.requestBody, after.requestBody),
    ...responseReasons(versions, recordOf(before.responses), recordOf(after.responses)),
    ...securityReasons(before.security, after.security),
  ];
}

function parameterReasons({ before, after, schemas }: Versions, old: JsonRecord, now: JsonRecord): ChangeReason[] {
  const [was, is] = [parametersOf(before, old), parametersOf(after, now)];
  const reasons: ChangeReason[] = [];
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
): ChangeReason[] {
  const [was, is] = [before.follow(old), after.follow(now)];
  if (!is) return was ? [{ message: 'request body removed', isBreaking: true }] : [];
  const isNowRequired = is.required === true && was?.required !== true;
  return [
    ...(isNowRequired ? [{ message: 'request body is now required', isBreaking: true }] : []),
    ...(was ? contentReasons(schemas, was.content, is.content, { direction: 'request', name: 'request body' }) : []),
  ];
}

function responseReasons({ before, after, schemas }: Versions, old: JsonRecord, now: JsonRecord): ChangeReason[] {
  const reasons: ChangeReason[] = [];
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
): ChangeReason[] {
  const [was, is] = [recordOf(before), recordOf(after)];
  const kept = Object.entries(was).flatMap(([type, media]) => {
    if (!(type in is)) return [{ message: `${name}: content type ${type} removed`, isBreaking: true }];
    return named(name, schemas.differences(recordOf(media).schema, recordOf(is[type]).schema, direction));
  });
  const fresh = Object.keys(is).filter((type) => !(type in was));
  return [...kept, ...fresh.map((type) => ({ message: `${name}: content type ${type} added`, isBreaking: false }))];
}

/** Breaking if a way to authenticate is gone. Without security, and with an empty requirement, none is needed. */
function securityReasons(before: JsonValue | undefined, after: JsonValue | undefined): ChangeReason[] {
  const waysOf = (security: JsonValue | undefined) =>
    new Set(Array.isArray(security) && security.length > 0 ? security.map((way) => JSON.stringify(way)) : ['{}']);
  const [was, is] = [waysOf(before), waysOf(after)];
  const isBreaking = !is.has('{}') && [...was].some((way) => !is.has(way));
  const isSame = was.size === is.size && [...was].every((way) => is.has(way));
  return isSame ? [] : [{ message: 'security changed', isBreaking }];
}

const named = (name: string, differences: { place: string; message: string; isBreaking: boolean }[]): ChangeReason[] =>
  differences.map(({ place, message, isBreaking }) => ({
    message: `${name}${place === '' ? '' : ` ${place}`}: ${message}`,
    isBreaking,
  }));

const recordOf = (value: JsonValue | undefined): JsonRecord => (isRecord(value) ? value : {});
