import type { ChangeReason } from './differences.ts';
import { isJsonRecord, type JsonRecord, type JsonValue } from './read-source.ts';
import type { Specification } from './specification.ts';

/** A way to authenticate: the scopes that it requires by its schemes, which are named by what clients have to send. */
type Way = ReadonlyMap<string, ReadonlySet<string>>;

/** Breaking if a way to authenticate is gone: no other one requires at most its schemes and scopes. */
export function securityReasons(
  before: { specification: Specification; security: JsonValue | undefined },
  after: { specification: Specification; security: JsonValue | undefined },
): ChangeReason[] {
  const [was, is] = [waysOf(before), waysOf(after)];
  const lost = was.filter((way) => !is.some((other) => isWithin(other, way)));
  const fresh = is.filter((way) => !was.some((other) => isWithin(other, way)));
  const [first] = lost;
  if (first) return [{ message: `security changed${missing(first, is)}`, isBreaking: true }];
  const isSame =
    fresh.length === 0 && was.length === is.length && is.every((way) => was.some((other) => isWithin(way, other)));
  return isSame ? [] : [{ message: 'security changed', isBreaking: false }];
}

/** Without security requirements, or with an empty one, no authentication is needed. */
function waysOf({ specification, security }: { specification: Specification; security: JsonValue | undefined }): Way[] {
  const requirements = Array.isArray(security) ? security.filter(isJsonRecord) : [];
  const schemes = schemesOf(specification);
  return (requirements.length > 0 ? requirements : [{}]).map(
    (way) =>
      new Map(
        Object.entries(way).map(([name, scopes]) => [
          schemes.get(name) ?? name,
          new Set(Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : []),
        ]),
      ),
  );
}

/** Whether a way requires nothing that the other one does not. */
const isWithin = (way: Way, other: Way) =>
  [...way].every(([scheme, scopes]) => scopes.isSubsetOf(other.get(scheme) ?? NONE) && other.has(scheme));

const NONE: ReadonlySet<string> = new Set();

/** The scopes that are new in the way with the same schemes, if only scopes are. */
function missing(way: Way, others: readonly Way[]): string {
  const other = others.find((each) => each.size === way.size && [...each.keys()].every((scheme) => way.has(scheme)));
  if (!other) return '';
  const scopes = [...other].flatMap(([scheme, required]) => [...required.difference(way.get(scheme) ?? NONE)]);
  return `: now requires ${scopes.join(', ')}`;
}

/** Credentials that clients have to send for each scheme, so that its name does not matter. */
function schemesOf(specification: Specification): Map<string, string> {
  const { components } = specification.document;
  const schemes =
    isJsonRecord(components) && isJsonRecord(components.securitySchemes) ? components.securitySchemes : {};
  return new Map(
    Object.entries(schemes).flatMap(([name, definition]) => {
      const scheme = specification.follow(definition);
      return scheme ? [[name, identityOf(scheme)]] : [];
    }),
  );
}

function identityOf({ type, name, in: place, scheme, flows, openIdConnectUrl }: JsonRecord): string {
  const parts = [
    type,
    place === 'header' ? String(name).toLowerCase() : name,
    place,
    typeof scheme === 'string' ? scheme.toLowerCase() : undefined,
    isJsonRecord(flows) ? Object.keys(flows).toSorted().join(' ') : undefined,
    openIdConnectUrl,
  ];
  return JSON.stringify(parts.filter((part) => part !== undefined));
}
