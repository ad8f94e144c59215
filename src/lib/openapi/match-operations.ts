import type { FoundOperation } from './operations.ts';
import { isJsonRecord } from './read-source.ts';

/** An operation in two versions. */
export interface OperationPair {
  before: FoundOperation;
  after: FoundOperation;
}

/** Operations that both versions have, and those that one of them has. */
export interface MatchedOperations {
  pairs: OperationPair[];
  removed: FoundOperation[];
  added: FoundOperation[];
}

/**
 * Finds the operations that requests of both versions lead to. It compares method and path, then allows other names of
 * path parameters, and then a part of the path that moved to the server or away from it.
 */
export function matchOperations(
  before: readonly FoundOperation[],
  after: readonly FoundOperation[],
): MatchedOperations {
  const removed = new Set(before);
  const added = new Set(after);
  const matches = new Map<FoundOperation, FoundOperation>();
  for (const keyOf of [exactKey, withoutNames, withServer]) {
    const byKey = Map.groupBy(added, keyOf);
    for (const operation of removed) {
      const other = byKey.get(keyOf(operation))?.shift();
      if (!other) continue;
      matches.set(operation, other);
      removed.delete(operation);
      added.delete(other);
    }
  }
  // In the order of the earlier version.
  const pairs = before.flatMap((operation) => {
    const other = matches.get(operation);
    return other ? [{ before: operation, after: other }] : [];
  });
  return { pairs, removed: [...removed], added: [...added] };
}

const exactKey = ({ kind, method, path }: FoundOperation) => `${kind} ${method} ${path}`;

const withoutNames = ({ kind, method, path }: FoundOperation) =>
  `${kind} ${method} ${kind === 'path' ? path.replace(/\{[^{}]*\}/g, '{}') : path}`;

const withServer = (operation: FoundOperation) =>
  operation.kind === 'path'
    ? withoutNames({ ...operation, path: `${serverPath(operation)}${operation.path}` })
    : exactKey(operation);

/** The path of the first server, without a slash at the end. */
function serverPath({ body }: FoundOperation): string {
  const [server] = Array.isArray(body.servers) ? body.servers : [];
  const url = isJsonRecord(server) && typeof server.url === 'string' ? server.url : '';
  return (URL.parse(url, 'https://server.invalid')?.pathname ?? '').replace(/\/$/, '');
}

/** Names of the parameters in a path by those in another one, where they differ. */
export function renamedParameters({ before, after }: OperationPair): Map<string, string> {
  const [old, now] = [before, after].map(({ path }) =>
    [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name),
  );
  // A part of the path that moved to the server is at its beginning.
  const names = old?.toReversed() ?? [];
  const others = now?.toReversed() ?? [];
  return new Map(
    names.flatMap((name, index) => (others[index] && others[index] !== name ? [[name, others[index]]] : [])),
  );
}
