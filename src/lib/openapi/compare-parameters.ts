import type { ComparedVersions } from './compare-schemas.ts';
import { type ChangeReason, type MessageDirection, named } from './differences.ts';
import { isJsonRecord, type JsonRecord, type JsonValue } from './read-source.ts';
import type { Specification } from './specification.ts';

/** Headers that OpenAPI describes elsewhere (OpenAPI 3.1, 4.8.12.2). */
const ELSEWHERE = new Set(['accept', 'content-type', 'authorization']);

interface Parameters {
  before: JsonRecord;
  after: JsonRecord;
  /** Earlier names of parameters in the path with their new ones. */
  renamed: ReadonlyMap<string, string>;
  /** Clients send the parameters of operations, and receive those of webhooks. */
  direction: MessageDirection;
}

/** The differences of the parameters, which are matched by place and name. */
export function parameterReasons(
  versions: ComparedVersions,
  { before, after, renamed, direction }: Parameters,
): ChangeReason[] {
  const isSent = direction === 'request';
  const [was, is] = [parametersOf(versions.before, before), parametersOf(versions.after, after)];
  const reasons: ChangeReason[] = [];
  const seen = new Set<string>();
  for (const [key, parameter] of was) {
    const newName = parameter.in === 'path' ? renamed.get(String(parameter.name)) : undefined;
    const otherKey = newName === undefined ? key : `path ${newName}`;
    const other = is.get(otherKey);
    seen.add(otherKey);
    if (newName !== undefined) reasons.push({ message: `${key}: renamed to ${newName}`, isBreaking: false });
    if (!other) reasons.push({ message: `${key}: parameter removed`, isBreaking: !isSent });
    else reasons.push(...compareParameter(versions, key, { parameter, other, direction }));
  }
  for (const [key, { required }] of is) {
    if (seen.has(key)) continue;
    const isBreaking = isSent && required === true;
    reasons.push({ message: `${key}: ${isBreaking ? 'new required parameter' : 'parameter added'}`, isBreaking });
  }
  return reasons;
}

function compareParameter(
  { schemas }: ComparedVersions,
  key: string,
  { parameter, other, direction }: { parameter: JsonRecord; other: JsonRecord; direction: MessageDirection },
): ChangeReason[] {
  const isSent = direction === 'request';
  const reasons: ChangeReason[] = [];
  const [wasRequired, isRequired] = [parameter.required === true, other.required === true];
  if (isRequired && !wasRequired) reasons.push({ message: `${key}: parameter is now required`, isBreaking: isSent });
  if (wasRequired && !isRequired) reasons.push({ message: `${key}: parameter is now optional`, isBreaking: !isSent });
  if (other.deprecated === true && parameter.deprecated !== true) {
    reasons.push({ message: `${key}: parameter is now deprecated`, isBreaking: false });
  }
  const [old, now] = [schemaOf(parameter), schemaOf(other)];
  const isList = [schemas.isCompound(old, 'before'), schemas.isCompound(now, 'after')].every(Boolean);
  if (isList && serialization(parameter) !== serialization(other)) {
    reasons.push({ message: `${key}: style changed`, isBreaking: true });
  }
  return [...reasons, ...named(key, schemas.differences(old, now, direction))];
}

/** The schema of a parameter, which can be described by a media type. */
function schemaOf({ schema, content }: JsonRecord): JsonValue | undefined {
  const [media] = isJsonRecord(content) ? Object.values(content) : [];
  return schema ?? (isJsonRecord(media) ? media.schema : undefined);
}

/** How lists and objects are written, with the defaults of their places (OpenAPI 3.1, 4.8.12.2). */
function serialization({ in: place, style, explode, content }: JsonRecord): string {
  if (isJsonRecord(content)) return Object.keys(content).join();
  const own = style ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  return `${own} ${explode ?? own === 'form'}`;
}

function parametersOf(specification: Specification, { parameters }: JsonRecord): Map<string, JsonRecord> {
  const resolved = (Array.isArray(parameters) ? parameters : [])
    .map((each) => specification.follow(each))
    .filter((parameter) => parameter !== undefined);
  return new Map(
    resolved.flatMap((parameter): [string, JsonRecord][] => {
      const { in: place, name } = parameter;
      if (place !== 'header') return [[`${place} ${name}`, parameter]];
      const key = String(name).toLowerCase();
      return ELSEWHERE.has(key) ? [] : [[`header ${key}`, parameter]];
    }),
  );
}
