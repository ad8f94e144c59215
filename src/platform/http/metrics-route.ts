import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isOperator } from '../access/actor.ts';
import { type Authenticate, hashToken } from '../access/authenticate.ts';
import type { Services } from '../context.ts';
import { forbidden, unauthenticated } from '../errors.ts';

/** What Prometheus reads (text format 0.0.4): for operators, and for who has the token that the settings name. */
export function registerMetrics(
  server: FastifyInstance,
  { config, metrics }: Services,
  authenticate: Authenticate,
): void {
  server.get('/metrics', async (request, reply) => {
    if (!hasMetricsToken(request, config.metricsToken)) {
      const actor = await authenticate(request.headers.authorization);
      if (actor.kind === 'anonymous') throw unauthenticated();
      if (!isOperator(actor)) throw forbidden('Only operators of the service can read its metrics.');
    }
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text());
  });
}

/** Whether a request has the token of the metrics. Compared by hashes, which take the same time whatever they are. */
export function hasMetricsToken({ headers: { authorization } }: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  return given !== undefined && token !== undefined && timingSafeEqual(hashToken(given), hashToken(token));
}
