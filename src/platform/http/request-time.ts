import type { FastifyReply } from 'fastify';
import { abortable } from '../database/abortable.ts';
import { Work } from '../work.ts';

/**
 * Does the work of a request within a time, in milliseconds. When it is over, or when the client leaves something that is
 * only read for it, the statements under way are cancelled and this throws at once, whatever the work still does.
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
