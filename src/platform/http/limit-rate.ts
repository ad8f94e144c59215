import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withinTimeLimit } from '../../lib/within-time-limit.ts';
import type { Actor } from '../access/actor.ts';
import type { Authenticate } from '../access/authenticate.ts';
import { asAccount } from '../context/account.ts';
import type { Services } from '../context/services.ts';
import { ApiError } from '../errors/errors.ts';
import { addressBucket } from '../rate-limit/address-bucket.ts';
import { type Allowance, RateLimiter } from '../rate-limit/rate-limiter.ts';
import { accountOf } from './caller.ts';
import { hasMetricsToken } from './metrics-route.ts';
import { PROBE_MS } from './readiness.ts';
import { isScim } from './scim.ts';
import { sessionSecretOf } from './session-cookie.ts';

/**
 * Counts requests and rejects those over the limit before their body is read. Authenticated routes count per token, or
 * per client address without one. Other routes count per address. Unknown tokens are counted per address, separately
 * from anonymous requests: when they exceed the limit, tokens that this process has not seen yet are no longer looked
 * up. `/healthz`, and `/metrics` with its token, are not counted.
 */
export function limitRate(server: FastifyInstance, services: Services, authenticate: Authenticate): void {
  const counter = new RequestCounter(services, authenticate);
  server.decorateRequest('caller', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    if (counter.countCached(request, reply)) return done();
    // Before the request's deadline starts: a pooler can delay a statement for minutes while its database is away.
    withinTimeLimit(counter.count(request, reply), services.config.requestTimeoutMs, busy).then(() => done(), done);
  });
}

const busy = () => new ApiError('SERVICE_UNAVAILABLE', 'The service is busy. Try again later.');

/** Authenticates and counts requests. Both methods throw if the caller has no requests left. */
class RequestCounter {
  readonly #services: Services;
  readonly #authenticate: Authenticate;
  readonly #limiter: RateLimiter | undefined;

  constructor(services: Services, authenticate: Authenticate) {
    const { rateLimit } = services.config;
    this.#services = services;
    this.#authenticate = authenticate;
    this.#limiter = rateLimit > 0 ? new RateLimiter(services, rateLimit) : undefined;
  }

  /** Counts the request of a cached caller, without promises. False if that takes a query. */
  countCached(request: FastifyRequest, reply: FastifyReply): boolean {
    const path = pathOf(request);
    const { authorization } = request.headers;
    if (!this.#limiter || authorization === undefined || isScim(request) || !AUTHENTICATED_PATHS.test(path))
      return false;
    const actor = this.#authenticate.cachedCaller(authorization);
    const bucket = actor && bucketOf(actor);
    const allowance = bucket === undefined ? undefined : this.#limiter.countCached(bucket);
    if (!actor || !allowance) return false;
    const checkedAt = this.#services.clock().getTime();
    setCaller(request, reply, { path, actor, checkedAt, address: addressBucket(request.ip), allowance });
    if (allowance.isOver) rejectOverLimit(reply, allowance, checkedAt);
    return true;
  }

  /** The same for all other requests. */
  async count(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const allowance = await this.#take(request, reply);
    if (allowance?.isOver) rejectOverLimit(reply, allowance, this.#services.clock().getTime());
  }

  async #take(request: FastifyRequest, reply: FastifyReply): Promise<Allowance | undefined> {
    const path = pathOf(request);
    if (AUTHENTICATED_PATHS.test(path)) return this.#authenticateAndTake(request, reply, path);
    if (path === '/healthz') return undefined;
    if (path === '/metrics' && hasMetricsToken(request, this.#services.config.metricsToken)) return undefined;
    const address = addressBucket(request.ip);
    if (path !== '/readyz') return this.#limiter?.count(address);
    // Counted separately, so that other requests from the same address cannot make the service look down. If counting
    // fails, the response explains the problem.
    if (!this.#limiter) return undefined;
    return withinTimeLimit(this.#limiter.count(`probe, ${address}`), PROBE_MS, busy).catch(() => undefined);
  }

  async #authenticateAndTake(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
  ): Promise<Allowance | undefined> {
    const address = addressBucket(request.ip);
    const checkedAt = this.#services.clock().getTime();
    const { actor, bucket } = await asAccount(address, () => this.#identify(request, address));
    const allowance = await asAccount(bucket, async () => this.#limiter?.count(bucket));
    setCaller(request, reply, { path, actor, checkedAt, address, allowance });
    return allowance;
  }

  /** The caller, or the error of its credentials, and the bucket in which the request counts. */
  async #identify(request: FastifyRequest, address: string): Promise<{ actor: Actor | ApiError; bucket: string }> {
    const { authorization } = request.headers;
    const unknownTokens = `unknown token, ${address}`;
    const { provisioners } = this.#authenticate;
    const { isKnownToken } = isScim(request) ? provisioners : this.#authenticate;
    // A request of SCIM without a token is refused like one with an unknown token.
    const isUnknown = authorization === undefined ? isScim(request) : !isKnownToken(authorization);
    if (isUnknown && this.#limiter?.isKnownOver(unknownTokens))
      return { actor: TOO_MANY_UNKNOWN, bucket: unknownTokens };
    try {
      const actor = isScim(request)
        ? await provisioners(authorization)
        : await this.#authenticate(authorization, sessionSecretOf(request, this.#services.config));
      return { actor, bucket: bucketOf(actor) ?? address };
    } catch (error) {
      if (error instanceof ApiError) return { actor: error, bucket: unknownTokens };
      throw error;
    }
  }
}

interface CountedCaller {
  path: string;
  actor: Actor | ApiError;
  checkedAt: number;
  address: string;
  allowance: Allowance | undefined;
}

/** Sets the caller of a request, and the headers with what the caller has left. */
function setCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, actor, checkedAt, address, allowance }: CountedCaller,
): void {
  request.caller = { actor, checkedAt, account: accountOf(actor, address), allowance };
  if (allowance && PATHS_WITH_HEADERS.test(path)) addRateLimitHeaders(reply, allowance);
}

const TOO_MANY_UNKNOWN = new ApiError(
  'RATE_LIMITED',
  'Too many requests with invalid access tokens from this address.',
);

const AUTHENTICATED_PATHS = /^\/(v1|graphql|mcp|files|pdf|uploads|account|sso|scim)([/?]|$)/;

/** Responses of REST, the graph, the endpoint of agents and SCIM say how many requests are left. */
const PATHS_WITH_HEADERS = /^\/(v1|graphql|mcp|scim)([/?]|$)/;

/** The normalized path, since the same URL can be written in several ways. */
const pathOf = ({ routeOptions, url }: FastifyRequest) => routeOptions.url ?? url;

/**
 * Bucket for callers counted by token. Undefined for anonymous callers and visitors: public sites issue tokens to
 * everyone.
 */
function bucketOf(actor: Actor): string | undefined {
  if (actor.kind === 'user') return actor.tokenId ?? actor.userId;
  if (actor.kind === 'provisioner') return actor.scimTokenId;
  return actor.kind === 'integration' ? actor.installationId : undefined;
}

function addRateLimitHeaders(reply: FastifyReply, { limit, remaining, resetAt }: Allowance): void {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', remaining);
  reply.header('x-ratelimit-reset', Math.ceil(resetAt / 1000));
}

function rejectOverLimit(reply: FastifyReply, { limit, resetAt }: Allowance, now: number): never {
  const seconds = Math.max(1, Math.ceil((resetAt - now) / 1000));
  reply.header('retry-after', seconds);
  throw new ApiError(
    'RATE_LIMITED',
    `Rate limit of ${limit} requests per minute exceeded. Try again in ${seconds} seconds.`,
  );
}
