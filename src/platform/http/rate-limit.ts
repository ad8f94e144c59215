import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../access/actor.ts';
import type { Authenticate } from '../access/authenticate.ts';
import type { Services } from '../context.ts';
import { Refusal } from '../errors.ts';
import { addressBucket } from '../rate-limit/address-bucket.ts';
import type { Allowance } from '../rate-limit/allowance.ts';
import { RateLimiter } from '../rate-limit/rate-limiter.ts';

/** Who asks, found before the request is read; a refusal of the token is told once there is something at the address. */
export interface Caller {
  actor: Actor | Refusal;
  allowance: Allowance | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

/**
 * Counts the requests of REST and the graph, per token or without one per address (decisions 8), and refuses those over
 * the limit before their body is read. Unknown tokens are counted per address too, apart from anonymous requests; when
 * there were too many, tokens that this process has not seen yet are not looked up any more.
 */
export function limitRate(server: FastifyInstance, services: Services, authenticate: Authenticate): void {
  const { rateLimit } = services.config;
  const limiter = rateLimit > 0 ? new RateLimiter(services, rateLimit) : undefined;

  const identify = async (request: FastifyRequest, address: string): Promise<[Actor | Refusal, bucket: string]> => {
    const { authorization } = request.headers;
    const guesses = `unknown token, ${address}`;
    if (limiter?.isKnownOver(guesses) && !authenticate.hasSeen(authorization)) return [TOO_MANY_UNKNOWN, guesses];
    try {
      const actor = await authenticate(authorization);
      return [actor, bucketOf(actor) ?? address];
    } catch (error) {
      if (error instanceof Refusal) return [error, guesses];
      throw error;
    }
  };

  server.decorateRequest('caller', undefined);
  server.addHook('onRequest', async (request, reply) => {
    if (!isLimited(request)) return;
    const [actor, bucket] = await identify(request, limiter ? addressBucket(request.ip) : '');
    const allowance = await limiter?.take(bucket);
    request.caller = { actor, allowance };
    if (allowance) announce(reply, allowance, services.clock().getTime());
  });
}

const TOO_MANY_UNKNOWN = new Refusal('RATE_LIMITED', 'Too many unknown access tokens came from this address.');

/** Addresses as routes know them: the raw one may be written in other ways. */
const isLimited = ({ routeOptions, url }: FastifyRequest) => /^\/(v1|graphql)([/?]|$)/.test(routeOptions.url ?? url);

/** Undefined where the caller has nothing of its own to be counted by. */
function bucketOf(actor: Actor): string | undefined {
  if (actor.kind === 'user') return actor.tokenId ?? actor.userId;
  if (actor.kind === 'integration') return actor.installationId;
  return actor.kind === 'site-token' ? actor.siteId : undefined;
}

/** Says in every answer what is left (decisions 8), and refuses when there is nothing. */
function announce(reply: FastifyReply, { limit, remaining, resetAt, isOver }: Allowance, now: number): void {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', remaining);
  reply.header('x-ratelimit-reset', Math.ceil(resetAt / 1000));
  if (!isOver) return;
  const seconds = Math.max(1, Math.ceil((resetAt - now) / 1000));
  reply.header('retry-after', seconds);
  throw new Refusal('RATE_LIMITED', `More than ${limit} requests in a minute; try again in ${seconds} seconds.`);
}
