import type { FastifyInstance } from 'fastify';

/** The methods that a path supports, for 405 and its `Allow` header (RFC 9110, 15.5.6). */
export type AllowedMethods = (path: string) => string[];

/** Records every route that is registered after the call, except those that exist on some hosts only. */
export function noteMethods(server: FastifyInstance): AllowedMethods {
  const entries = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  server.addHook('onRoute', ({ url, method, constraints }) => {
    if (constraints !== undefined && Object.keys(constraints).length > 0) return;
    const entry = entries.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    entries.set(url, entry);
    for (const name of [method].flat()) entry.methods.add(name);
  });
  return (path) => {
    const matching = [...entries.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
  };
}

/** `:name` matches one segment, a final `*` anything. A trailing slash is ignored. */
function patternOf(url: string): RegExp {
  const literal = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/:[A-Za-z]+/g, '[^/]+').replace(/\*$/, '.*')}/?$`);
}
