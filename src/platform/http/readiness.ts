import type { FastifyInstance } from 'fastify';

/** Whether a server can answer requests. The reason says why not, or what it cannot do meanwhile. */
export interface Readiness {
  isReady: boolean;
  reason: string | undefined;
}

export const notReady = (reason: string): Readiness => ({ isReady: false, reason });

/** `/readyz`. While reads work, the server is ready: a load balancer that left it out would end them too. */
export function registerReadiness(server: FastifyInstance, readiness: () => Promise<Readiness>): void {
  // Concurrent probes share one query to the database.
  let checking: Promise<Readiness> | undefined;
  server.get('/readyz', async (_request, reply) => {
    checking ??= readiness()
      .catch(() => notReady('The database does not respond.'))
      .finally(() => {
        checking = undefined;
      });
    const { isReady, reason } = await checking;
    const status = isReady ? 'ready' : 'not ready';
    return reply.status(isReady ? 200 : 503).send({ status, ...(reason !== undefined && { reason }) });
  });
}
