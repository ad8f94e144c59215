import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context/context.ts';

/**
 * Runs a function for a request in its context: authenticates, applies the time limit and, if requested, counts the
 * statements. Undefined means no time limit.
 */
export type InContext = <Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  act: (ctx: Context) => Promise<Result>,
  limitMs?: number | undefined,
) => Promise<Result>;
