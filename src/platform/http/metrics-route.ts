import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireOperator } from '../access/actor.ts';
import type { Authenticate } from '../access/authenticate.ts';
import { hashToken } from '../access/credentials.ts';
import type { Services } from '../context/services.ts';
import { unauthenticated } from '../errors/errors.ts';
import { sessionSecretOf } from './session-cookie.ts';

/** The metrics for Prometheus (text format 0.0.4). Requires an operator, or the token from the settings. */
export function registerMetrics(
  server: FastifyInstance,
  { config, metrics }: Services,
  authenticate: Authenticate,
): void {
  server.get('/metrics', async (request, reply) => {
    if (!hasMetricsToken(request, config.metricsToken)) {
      const actor = await authenticate(request.headers.authorization, sessionSecretOf(request, config));
      if (actor.kind === 'anonymous') throw unauthenticated();
      requireOperator(actor, 'read its metrics');
    }
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text());
  });
}

/**
 * Whether a request has the token of the metrics. Hashes are compared, so that the time does not depend on the token.
 */
export function hasMetricsToken({ headers: { authorization } }: FastifyRequest, token: string | undefined): boolean {
  const sentToken = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  return sentToken !== undefined && token !== undefined && timingSafeEqual(hashToken(sentToken), hashToken(token));
}
