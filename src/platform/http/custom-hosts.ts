import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Services } from '../context/services.ts';
import { loggable } from '../log/loggable.ts';

/** Whether a hostname in lowercase is one of a customer's, which only web routes with `onCustomHosts` exist on. */
export type IsCustomHost = (services: Services, hostname: string) => Promise<boolean>;

let source: IsCustomHost | undefined;

export function registerCustomHosts(isCustomHost: IsCustomHost): void {
  source = isCustomHost;
}

/** Name of the constraint of routes that exist on custom hosts only. */
export const CUSTOM_HOST = 'customHost';

/** Custom hosts have three labels at least, and are no IP addresses. */
const NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+){2,}$/;
const MAX_NAME = 253;

/** The hostname that a request names, in lowercase and without its port. */
export const hostnameOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string =>
  (headers.host ?? '').toLowerCase().replace(/:\d{1,5}$/, '');

const REMEMBERED = 10_000;
const REMEMBERED_MS = 5_000;

/**
 * Routes requests to custom hosts to the routes that exist there, and to no others. A host is looked up at most once in
 * five seconds; whether something is served is decided by the route.
 */
export function routeCustomHosts(server: FastifyInstance, services: Services): void {
  const { publicUrl, sitesUrl } = services.config;
  const ownNames = new Set([publicUrl, sitesUrl].map((url) => new URL(url).hostname));
  const cache = new LRUCache<string, Promise<boolean>>({ max: REMEMBERED, ttl: REMEMBERED_MS });
  const isCustom = (name: string): Promise<boolean> => {
    const remembered = cache.get(name);
    if (remembered) return remembered;
    const lookup = source?.(services, name) ?? Promise.resolve(false);
    cache.set(name, lookup);
    return lookup;
  };
  server.addConstraintStrategy({
    name: CUSTOM_HOST,
    mustMatchWhenDerived: true,
    validate: () => true,
    storage: makeStore,
    deriveConstraint(request: IncomingMessage, _context: unknown, done: (error: Error | null, value?: string) => void) {
      const name = hostnameOf(request);
      if (ownNames.has(name) || name.length > MAX_NAME || !NAME.test(name) || isIP(name) !== 0)
        return done(null, undefined);
      isCustom(name).then(
        (isCustomName) => done(null, isCustomName ? 'yes' : undefined),
        (error) => {
          cache.delete(name);
          services.log.warn({ err: loggable(error) }, 'A host could not be looked up');
          done(null, undefined);
        },
      );
    },
  } as unknown as Parameters<FastifyInstance['addConstraintStrategy']>[0]); // Fastify's types have no asynchronous strategies
}

function makeStore() {
  const handlers = new Map<unknown, unknown>();
  return {
    get: (key: unknown) => handlers.get(key) ?? null,
    set: (key: unknown, handler: unknown) => void handlers.set(key, handler),
  };
}
