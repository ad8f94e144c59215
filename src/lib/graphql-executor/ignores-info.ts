const ignoring = new WeakSet<object>();

/** Marks a resolver that never reads its fourth argument, the `GraphQLResolveInfo`, so that none is made for it. */
export function markIgnoresInfo<Resolver extends object>(resolver: Resolver): Resolver {
  ignoring.add(resolver);
  return resolver;
}

export const readsInfo = (resolver: object): boolean => !ignoring.has(resolver);
