import type { ComparedVersions } from './compare-schemas.ts';
import { type ChangeReason, type MessageDirection, named } from './differences.ts';
import { isJsonRecord, type JsonRecord, type JsonValue } from './read-source.ts';

interface ContentOptions {
  direction: MessageDirection;
  /** Owner of the content: `request body`, `response 200`. */
  name: string;
}

/** The differences of the bodies that clients send, or of those that they receive. */
export function bodyReasons(
  versions: ComparedVersions,
  [old, now]: readonly [JsonValue | undefined, JsonValue | undefined],
  direction: MessageDirection,
): ChangeReason[] {
  const [was, is] = [versions.before.follow(old), versions.after.follow(now)];
  const isSent = direction === 'request';
  if (!is) return was ? [{ message: 'request body removed', isBreaking: true }] : [];
  const reasons: ChangeReason[] = [];
  const [wasRequired, isRequired] = [was?.required === true, is.required === true];
  if (isRequired && !wasRequired) reasons.push({ message: 'request body is now required', isBreaking: isSent });
  else if (!was) reasons.push({ message: 'request body added', isBreaking: false });
  else if (wasRequired && !isRequired) reasons.push({ message: 'request body is now optional', isBreaking: !isSent });
  if (was) reasons.push(...contentReasons(versions, [was.content, is.content], { direction, name: 'request body' }));
  return reasons;
}

/**
 * The differences of responses. One that is described by a range or by `default` in the other version is compared with
 * that. Without an error, clients do not fail, so only a successful response can be missed.
 */
export function responseReasons(
  versions: ComparedVersions,
  old: JsonRecord,
  now: JsonRecord,
  direction: MessageDirection,
): ChangeReason[] {
  const isReceived = direction === 'response';
  const reasons: ChangeReason[] = [];
  for (const status of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const name = `response ${status}`;
    const [before, after] = [described(old, status), described(now, status)];
    if (after === undefined) {
      reasons.push({ message: `${name} removed`, isBreaking: !isReceived || /^(?:[123]|default)/.test(status) });
    } else if (before === undefined) reasons.push({ message: `${name} added`, isBreaking: false });
    else {
      const [was, is] = [versions.before.follow(before), versions.after.follow(after)];
      reasons.push(...contentReasons(versions, [was?.content, is?.content], { direction, name }));
      if (isReceived) reasons.push(...headerReasons(versions, [was?.headers, is?.headers], name));
      if (!Object.hasOwn(old, status)) reasons.push({ message: `${name} added`, isBreaking: false });
      if (!Object.hasOwn(now, status)) reasons.push({ message: `${name} removed`, isBreaking: false });
    }
  }
  return reasons;
}

const described = (responses: JsonRecord, status: string) =>
  responses[status] ?? responses[`${status[0]}XX`] ?? responses[`${status[0]}xx`] ?? responses.default;

function headerReasons(
  { before, after, schemas }: ComparedVersions,
  [old, now]: readonly [JsonValue | undefined, JsonValue | undefined],
  name: string,
): ChangeReason[] {
  const byName = (headers: JsonValue | undefined) =>
    new Map(
      Object.entries(recordOf(headers))
        .map(([header, value]) => [header.toLowerCase(), value] as const)
        .filter(([header]) => header !== 'content-type'),
    );
  const [was, is] = [byName(old), byName(now)];
  const reasons: ChangeReason[] = [];
  for (const [header, value] of was) {
    const at = `${name} header ${header}`;
    if (!is.has(header)) {
      reasons.push({ message: `${at}: header removed`, isBreaking: true });
      continue;
    }
    const [one, other] = [before.follow(value), after.follow(is.get(header))];
    const isNowOptional = one?.required === true && other?.required !== true;
    if (isNowOptional) reasons.push({ message: `${at}: header is now optional`, isBreaking: true });
    reasons.push(...named(at, schemas.differences(one?.schema, other?.schema, 'response')));
  }
  for (const header of is.keys()) {
    if (!was.has(header)) reasons.push({ message: `${name} header ${header}: header added`, isBreaking: false });
  }
  return reasons;
}

function contentReasons(
  { schemas }: ComparedVersions,
  [before, after]: readonly [JsonValue | undefined, JsonValue | undefined],
  { direction, name }: ContentOptions,
): ChangeReason[] {
  const [was, is] = [byType(before), byType(after)];
  const reasons: ChangeReason[] = [];
  for (const [type, media] of was) {
    const key = is.has(type) ? type : covering(is, type);
    const other = key === undefined ? narrower(is, type, direction) : is.get(key);
    if (!other) reasons.push({ message: `${name}: content type ${type} removed`, isBreaking: true });
    else if (hasSchema(type)) reasons.push(...named(name, schemas.differences(media.schema, other.schema, direction)));
  }
  for (const type of is.keys()) {
    const isKnown = was.has(type) || covering(was, type) !== undefined;
    if (!isKnown) reasons.push({ message: `${name}: content type ${type} added`, isBreaking: false });
  }
  return reasons;
}

/** Media types without their parameters. */
function byType(content: JsonValue | undefined): Map<string, JsonRecord> {
  return new Map(
    Object.entries(recordOf(content)).map(([type, media]) => [
      (type.split(';', 1)[0] ?? '').trim().toLowerCase(),
      recordOf(media),
    ]),
  );
}

/** The range that a type is in: `application/*+json`, `application/*`, `*` + `/*`. */
function covering(types: ReadonlyMap<string, unknown>, type: string): string | undefined {
  const [group = '', subtype = ''] = type.split('/', 2);
  const suffix = subtype.includes('+') ? subtype.slice(subtype.lastIndexOf('+')) : `+${subtype}`;
  return [`${group}/*${suffix}`, `${group}/*`, '*/*'].find((range) => types.has(range));
}

/** For a range of received types, a type in it. */
function narrower(
  types: ReadonlyMap<string, JsonRecord>,
  range: string,
  direction: MessageDirection,
): JsonRecord | undefined {
  if (direction === 'request' || !range.includes('*')) return undefined;
  for (const [type, media] of types) if (covering(new Map([[range, null]]), type) !== undefined) return media;
  return undefined;
}

/** Schemas of other media types describe bytes (OpenAPI 3.1, 4.8.14.2). */
const hasSchema = (type: string) => /json|xml|yaml|form|text|multipart|\*/.test(type);

const recordOf = (value: JsonValue | undefined): JsonRecord => (isJsonRecord(value) ? value : {});
