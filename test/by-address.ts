interface Addressed {
  method: string;
  /** With `{name}` for parameters. */
  path: string;
}

/**
 * Finds those of the operations that a method and a path address, the path with the most literal text first: literal
 * segments come before parameters. Every answer of every test is looked up, so the paths are taken apart once.
 */
export function byAddress<Operation extends Addressed>(
  operations: readonly Operation[],
): (method: string, path: string) => Operation[] {
  const literal = ({ path }: Operation) => path.replace(/\{[^}]+\}/g, '').length;
  const read = operations
    .toSorted((left, right) => literal(right) - literal(left))
    .map((operation) => ({ operation, segments: operation.path.split('/').map(readSegment) }));
  const alike = Map.groupBy(read, ({ operation, segments }) => `${operation.method} ${segments.length}`);
  return (method, path) => {
    const given = path.replace(/\/$/, '').split('/');
    const candidates = alike.get(`${method} ${given.length}`) ?? [];
    return candidates
      .filter(({ segments }) => segments.every((segment, index) => segment === null || segment === given[index]))
      .map(({ operation }) => operation);
  };
}

/** Null for a parameter, which any text fits. */
const readSegment = (segment: string) => (segment.startsWith('{') ? null : segment);
