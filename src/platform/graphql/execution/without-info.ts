const withoutInfo = new WeakSet<object>();

/** Notes that a resolver reads its source, its arguments and the context, but not the information about its field. */
export function noteWithoutInfo<Resolver extends object>(resolver: Resolver): Resolver {
  withoutInfo.add(resolver);
  return resolver;
}

export const needsInfo = (resolver: object): boolean => !withoutInfo.has(resolver);
