import type { FastifyInstance } from 'fastify';
import { withinTimeLimit } from '../../lib/within-time-limit.ts';

/** Whether a server can answer requests. The reason says why not, or what it cannot do meanwhile. */
export interface Readiness {
  isReady: boolean;
  reason: string | undefined;
}

/** Longer than a database that works takes. A pooler lets statements wait for minutes while its database is away. */
export const PROBE_MS = 5_000;

export const notReady = (reason: string): Readiness => ({ isReady: false, reason });

/** `/readyz`. While reads work, the server is ready: a load balancer that left it out would end them too. */
export function registerReadiness(server: FastifyInstance, readiness: () => Promise<Readiness>): void {
  // Concurrent probes share one query to the database.
  let checking: Promise<Readiness> | undefined;
  server.get('/readyz', async (_request, reply) => {
    checking ??= withinTimeLimit(readiness(), PROBE_MS, () => new Error('The database takes too long.'))
      .catch(() => notReady('The database does not respond.'))
      .finally(() => {
        checking = undefined;
      });
    const { isReady, reason } = await checking;
    const status = isReady ? 'ready' : 'not ready';
    return reply.status(isReady ? 200 : 503).send({ status, ...(reason !== undefined && { reason }) });
  });
}
