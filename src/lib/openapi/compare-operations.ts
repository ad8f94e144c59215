import { bodyReasons, responseReasons } from './compare-contents.ts';
import { parameterReasons } from './compare-parameters.ts';
import type { ComparedVersions } from './compare-schemas.ts';
import { securityReasons } from './compare-security.ts';
import type { ChangeReason, MessageDirection } from './differences.ts';
import { matchOperations, type OperationPair, renamedParameters } from './match-operations.ts';
import { type FoundOperation, operationsOfItems } from './operations.ts';
import { isJsonRecord, type JsonRecord, type JsonValue } from './read-source.ts';
import type { Specification } from './specification.ts';

/** Changes from one version of an operation to another. Empty if it has not changed. */
export function compareOperations(versions: ComparedVersions, pair: OperationPair): ChangeReason[] {
  const [before, after] = [pair.before.body, pair.after.body];
  const security = [
    { specification: versions.before, security: before.security },
    { specification: versions.after, security: after.security },
  ] as const;
  return [
    ...annotationReasons(pair),
    ...messageReasons(versions, pair),
    // Services that send webhooks choose how.
    ...(pair.before.kind === 'webhook' ? [] : securityReasons(...security)),
    ...(hasOwnServers(versions, pair) ? serverReasons(before.servers, after.servers) : []),
    ...callbackReasons(versions, before.callbacks, after.callbacks),
  ];
}

/** Requests and their responses. Clients receive the requests of webhooks and callbacks, and send the responses. */
function messageReasons(versions: ComparedVersions, pair: OperationPair): ChangeReason[] {
  const [before, after] = [pair.before.body, pair.after.body];
  const isReversed = pair.before.kind === 'webhook';
  const [sent, received]: [MessageDirection, MessageDirection] = isReversed
    ? ['response', 'request']
    : ['request', 'response'];
  return [
    ...parameterReasons(versions, { before, after, renamed: renamedParameters(pair), direction: sent }),
    ...bodyReasons(versions, [before.requestBody, after.requestBody], sent),
    ...responseReasons(versions, recordOf(before.responses), recordOf(after.responses), received),
  ];
}

function annotationReasons({ before, after }: OperationPair): ChangeReason[] {
  const messages: string[] = [];
  if (after.isDeprecated && !before.isDeprecated) messages.push('operation is now deprecated');
  if (before.isDeprecated && !after.isDeprecated) messages.push('operation is no longer deprecated');
  if (before.path !== after.path) messages.push(`path is now ${after.path}`);
  const [old, now] = [before.operationId, after.operationId];
  if (old !== null && now !== null && old !== now) messages.push(`operationId changed from ${old} to ${now}`);
  return messages.map((message) => ({ message, isBreaking: false }));
}

const hasOwnServers = ({ before, after }: ComparedVersions, pair: OperationPair) =>
  pair.before.body.servers !== before.document.servers || pair.after.body.servers !== after.document.servers;

/** Descriptions often name the machine that they were generated on, so another address is not breaking. */
export function serverReasons(old: JsonValue | undefined, now: JsonValue | undefined): ChangeReason[] {
  const [was, is] = [urlsOf(old), urlsOf(now)];
  return [
    ...[...was.difference(is)].map((url) => ({ message: `server ${url} removed`, isBreaking: false })),
    ...[...is.difference(was)].map((url) => ({ message: `server ${url} added`, isBreaking: false })),
  ];
}

const urlsOf = (servers: JsonValue | undefined) =>
  new Set(
    (Array.isArray(servers) ? servers : []).flatMap((server) =>
      isJsonRecord(server) && typeof server.url === 'string' ? [server.url.replace(/(.)\/$/, '$1')] : [],
    ),
  );

/** Callbacks by name. Their requests are matched like webhooks, by expression and method. */
function callbackReasons(
  versions: ComparedVersions,
  old: JsonValue | undefined,
  now: JsonValue | undefined,
): ChangeReason[] {
  const [was, is] = [callbacksOf(versions.before, old), callbacksOf(versions.after, now)];
  const { pairs, removed, added } = matchOperations(was, is);
  const nameOf = ({ method, path }: FoundOperation) => `callback ${method.toUpperCase()} ${path}`;
  return [
    ...removed.map((callback) => ({ message: `${nameOf(callback)} removed`, isBreaking: true })),
    ...added.map((callback) => ({ message: `${nameOf(callback)} added`, isBreaking: false })),
    ...pairs.flatMap((pair) =>
      messageReasons(versions, pair).map(({ message, isBreaking }) => ({
        message: `${nameOf(pair.before)} ${message}`,
        isBreaking,
      })),
    ),
  ];
}

/**
 * A callback with a single expression is named without it, because the expression only tells where to send the request.
 */
function callbacksOf(specification: Specification, callbacks: JsonValue | undefined): FoundOperation[] {
  return Object.entries(recordOf(callbacks)).flatMap(([name, callback]) => {
    const items = Object.entries(specification.follow(callback) ?? {}).filter(
      ([expression]) => !expression.startsWith('x-'),
    );
    const named = items.map(
      ([expression, item]) => [items.length === 1 ? name : `${name} ${expression}`, item] as const,
    );
    return operationsOfItems(specification, Object.fromEntries(named), 'webhook');
  });
}

const recordOf = (value: JsonValue | undefined): JsonRecord => (isJsonRecord(value) ? value : {});
