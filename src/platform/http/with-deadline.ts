import type { FastifyReply } from 'fastify';
import { RequestDeadline } from '../context/request-deadline.ts';
import { abortable } from '../database/abortable.ts';
import type { FaultLog } from '../log/fault-log.ts';

/**
 * Runs a request with a time limit in milliseconds. At the deadline, or when the client of a read disconnects, running
 * statements are cancelled and this throws at once, even if the work goes on.
 */
export async function withDeadline<Result>(
  reply: FastifyReply,
  { limitMs, log }: { limitMs: number; log: FaultLog },
  act: (deadline: RequestDeadline) => Promise<Result>,
): Promise<Result> {
  const deadline = new RequestDeadline(limitMs);
  const { signal } = deadline;
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const clientLeft = () => deadline.clientLeft();
  reply.raw.on('close', clientLeft);
  signal.addEventListener('abort', () => reject(signal.reason));
  try {
    abortable(signal, () => act(deadline), log).then(resolve, reject);
    return await promise;
  } finally {
    deadline.done();
    reply.raw.off('close', clientLeft);
  }
}
