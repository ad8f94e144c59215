import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
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
  server.get('/metrics', async ({ headers: { authorization } }, reply) => {
    if (!isToken(authorization, config.metricsToken)) {
      const actor = await authenticate(authorization);
      if (actor.kind === 'anonymous') throw unauthenticated();
      if (!isOperator(actor)) throw forbidden('Only operators of this service can read its metrics.');
    }
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text());
  });
}

/** Compared by hashes, which are of one length and tell nothing by the time that takes. */
function isToken(authorization: string | undefined, token: string | undefined): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  return given !== undefined && token !== undefined && timingSafeEqual(hashToken(given), hashToken(token));
}
