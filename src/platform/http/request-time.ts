import type { FastifyReply } from 'fastify';
import { abortable } from '../database/abortable.ts';
import { Work } from '../work.ts';

/**
 * Runs a request with a time limit in milliseconds. At the deadline, or when the client of a read disconnects, running
 * statements are cancelled and this throws at once, even if the work goes on.
 */
export async function withinTime<Result>(
  reply: FastifyReply,
  limitMs: number,
  act: (work: Work) => Promise<Result>,
): Promise<Result> {
  const work = new Work(limitMs);
  const { signal } = work;
  const clientLeft = () => work.clientLeft();
  reply.raw.once('close', clientLeft);
  let giveUp = () => {};
  const given = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(signal.reason);
  });
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([abortable(signal, () => act(work)), given]);
  } finally {
    work.done();
    reply.raw.off('close', clientLeft);
    signal.removeEventListener('abort', giveUp);
  }
}
