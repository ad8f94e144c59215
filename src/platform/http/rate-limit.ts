import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withinTimeLimit } from '../../lib/within-time-limit.ts';
import type { Actor } from '../access/actor.ts';
import type { Authenticate } from '../access/authenticate.ts';
import type { Services } from '../context/services.ts';
import { asAccount } from '../database/fair-gate.ts';
import { ApiError } from '../errors/errors.ts';
import { addressBucket } from '../rate-limit/address-bucket.ts';
import { type Allowance, RateLimiter } from '../rate-limit/rate-limiter.ts';
import { accountOf } from './caller.ts';
import { hasMetricsToken } from './metrics-route.ts';
import { PROBE_MS } from './readiness.ts';
import { isScim } from './scim.ts';
import { sessionOf } from './session-cookie.ts';

/**
 * Counts requests and rejects those over the limit before their body is read. Authenticated routes count per token, or
 * per client address without one. Other routes count per address. Unknown tokens are counted per address, separately from
 * anonymous requests: when they exceed the limit, tokens that this process has not seen yet are no longer looked up.
 * `/healthz`, and `/metrics` with its token, are not counted.
 */
export function limitRate(server: FastifyInstance, services: Services, authenticate: Authenticate): void {
  const { rateLimit, metricsToken } = services.config;
  const limiter = rateLimit > 0 ? new RateLimiter(services, rateLimit) : undefined;

  const identify = async (request: FastifyRequest, address: string): Promise<[Actor | ApiError, bucket: string]> => {
    const { authorization } = request.headers;
    const guesses = `unknown token, ${address}`;
    const { hasSeen } = isScim(request) ? authenticate.provisioners : authenticate;
    if (limiter?.isKnownOver(guesses) && !hasSeen(authorization)) return [TOO_MANY_UNKNOWN, guesses];
    try {
      const actor = isScim(request)
        ? await authenticate.provisioners(authorization)
        : await authenticate(authorization, sessionOf(request, services.config));
      return [actor, bucketOf(actor) ?? address];
    } catch (error) {
      if (error instanceof ApiError) return [error, guesses];
      throw error;
    }
  };

  const asksWhoCalls = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const address = addressBucket(request.ip);
    const checkedAt = services.clock().getTime();
    const [actor, bucket] = await asAccount(address, () => identify(request, address));
    const allowance = await asAccount(bucket, async () => limiter?.take(bucket));
    return called(request, reply, { path, actor, checkedAt, address, allowance });
  };

  /** The same for a remembered token that has requests left, which most requests have: without promises. */
  const knownCaller = (request: FastifyRequest, reply: FastifyReply): boolean => {
    const path = pathOf(request);
    const { authorization } = request.headers;
    if (authorization === undefined || !limiter || isScim(request) || !ASKS_WHO_CALLS.test(path)) return false;
    const actor = authenticate.now(authorization);
    const bucket = actor && bucketOf(actor);
    const allowance = bucket === undefined ? undefined : limiter.takeNow(bucket);
    if (!actor || !allowance) return false;
    const checkedAt = services.clock().getTime();
    called(request, reply, { path, actor, checkedAt, address: addressBucket(request.ip), allowance });
    if (allowance.isOver) refuse(reply, allowance, checkedAt);
    return true;
  };

  const allowanceOf = async (request: FastifyRequest, reply: FastifyReply): Promise<Allowance | undefined> => {
    const path = pathOf(request);
    if (ASKS_WHO_CALLS.test(path)) return asksWhoCalls(request, reply, path);
    if (path === '/healthz' || (path === '/metrics' && hasMetricsToken(request, metricsToken))) return undefined;
    if (path !== '/readyz') return limiter?.take(addressBucket(request.ip));
    // Counted separately, so that other requests from the same address cannot make the service look down. If counting
    // fails, the response explains the problem.
    if (!limiter) return undefined;
    return withinTimeLimit(limiter.take(`probe, ${addressBucket(request.ip)}`), PROBE_MS, busy).catch(() => undefined);
  };

  server.decorateRequest('caller', undefined);
  const limit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const allowance = await allowanceOf(request, reply);
    if (allowance?.isOver) refuse(reply, allowance, services.clock().getTime());
  };
  server.addHook('onRequest', (request, reply, done) => {
    if (knownCaller(request, reply)) done();
    // Before the deadline of the request begins. A pooler lets statements wait for minutes while its database is away.
    else withinTimeLimit(limit(request, reply), services.config.requestTimeoutMs, busy).then(() => done(), done);
  });
}

const busy = () => new ApiError('SERVICE_UNAVAILABLE', 'The service is busy. Try again later.');

interface Called {
  path: string;
  actor: Actor | ApiError;
  checkedAt: number;
  address: string;
  allowance: Allowance | undefined;
}

/** Notes who calls, and announces what is left. */
function called(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, actor, checkedAt, address, allowance }: Called,
): Allowance | undefined {
  request.caller = { actor, checkedAt, account: accountOf(actor, address), allowance };
  if (allowance && OF_API.test(path)) announce(reply, allowance);
  return allowance;
}

const TOO_MANY_UNKNOWN = new ApiError(
  'RATE_LIMITED',
  'Too many requests with invalid access tokens from this address.',
);

const ASKS_WHO_CALLS = /^\/(v1|graphql|mcp|files|pdf|uploads|account|sso|scim)([/?]|$)/;

const OF_API = /^\/(v1|graphql|mcp|scim)([/?]|$)/;

/** The normalized path, since the same URL can be written in several ways. */
const pathOf = ({ routeOptions, url }: FastifyRequest) => routeOptions.url ?? url;

/** Bucket for callers counted by token. Undefined for anonymous callers and visitors: public sites issue tokens to everyone. */
function bucketOf(actor: Actor): string | undefined {
  if (actor.kind === 'user') return actor.tokenId ?? actor.userId;
  if (actor.kind === 'provisioner') return actor.scimTokenId;
  return actor.kind === 'integration' ? actor.installationId : undefined;
}

/** Adds the rate limit headers to responses of REST, the graph, the endpoint of agents and SCIM. */
function announce(reply: FastifyReply, { limit, remaining, resetAt }: Allowance): void {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', remaining);
  reply.header('x-ratelimit-reset', Math.ceil(resetAt / 1000));
}

function refuse(reply: FastifyReply, { limit, resetAt }: Allowance, now: number): never {
  const seconds = Math.max(1, Math.ceil((resetAt - now) / 1000));
  reply.header('retry-after', seconds);
  throw new ApiError(
    'RATE_LIMITED',
    `Rate limit of ${limit} requests per minute exceeded. Try again in ${seconds} seconds.`,
  );
}
