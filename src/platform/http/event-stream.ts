import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { formatError } from '../graphql/errors.ts';
import type { GraphQLAnswer, GraphQLOutcome } from '../graphql/run-graphql.ts';
import type { StreamedAnswer } from '../graphql/subscription.ts';
import { refuseLong } from './bounded-answers.ts';
import { takeStreamSlot } from './stream-slots.ts';
import { writeJson } from './write-json.ts';

export const EVENT_STREAM = 'text/event-stream';

/** Proxies cut connections that are silent for long; 60 seconds is a usual limit. */
const HEARTBEAT_MS = 15_000;

export interface StreamParts {
  ctx: Context;
  outcome: GraphQLOutcome;
  /** The context anew, with whom the token names now; refuses when it names nobody any more. */
  renew(): Promise<Context>;
  /** Aborted when the service stops. */
  closing: AbortSignal;
}

/**
 * Answers by server-sent events (GraphQL over Server-Sent Events, "Distinct connections mode"): `next` for each answer,
 * and `complete` when there will be no more. A service that stops ends the stream without `complete`, and the client comes
 * back with `Last-Event-ID`.
 */
export function answerByEvents(request: FastifyRequest, reply: FastifyReply, parts: StreamParts): FastifyReply {
  const { ctx, outcome } = parts;
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  if (reply.raw.destroyed) left.abort();
  const signal = AbortSignal.any([parts.closing, left.signal]);
  const lastEventId = request.headers['last-event-id'];
  const stream = { signal, ...(typeof lastEventId === 'string' && lastEventId !== '' && { lastEventId }) };
  const frames = outcome.subscription
    ? subscriptionFrames(outcome.subscription({ ...ctx, stream }, parts.renew), { ...parts, signal })
    : answerFrames(outcome.answer, ctx);
  if (outcome.subscription) takeStreamSlot(request.caller?.account ?? request.ip, left.signal);
  return reply
    .headers({
      'content-type': `${EVENT_STREAM}; charset=utf-8`,
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    .send(Readable.from(frames, { objectMode: false }));
}

const BEAT = 'beat';

type Beat = typeof BEAT;

const HEARTBEAT = ':\n\n';
const COMPLETE = 'event: complete\ndata:\n\n';

/** The frames of an operation that is answered once. */
async function* answerFrames(answer: GraphQLAnswer, ctx: Context): AsyncGenerator<string> {
  try {
    yield await next({ answer }, ctx);
  } catch (error) {
    yield await next({ answer: { errors: [formatError(error, ctx)] } }, ctx);
  }
  yield COMPLETE;
}

/** The frames of a subscription. Nothing is read ahead: a client that is slow makes nothing pile up here. */
async function* subscriptionFrames(
  answers: AsyncGenerator<StreamedAnswer, void>,
  { ctx, renew, signal }: Pick<StreamParts, 'ctx' | 'renew'> & { signal: AbortSignal },
): AsyncGenerator<string> {
  const ended = new AbortController();
  const pause = () => sleep<Beat>(HEARTBEAT_MS, BEAT, { signal: ended.signal }).catch((): Beat => BEAT);
  signal.addEventListener('abort', () => ended.abort(), { once: true });
  try {
    yield HEARTBEAT;
    let beat = pause();
    for (let answer = answers.next(); ; ) {
      const first = await Promise.race([answer, beat]);
      if (signal.aborted) return;
      if (first === BEAT) {
        await renew();
        beat = pause();
        yield HEARTBEAT;
        continue;
      }
      if (first.done) break;
      yield await next(first.value, ctx);
      answer = answers.next();
    }
    yield COMPLETE;
  } catch (error) {
    yield await next({ answer: { errors: [formatError(error, ctx)] } }, ctx);
    yield COMPLETE;
  } finally {
    ended.abort();
    // It ends by the signal; nobody is left to wait for it.
    void answers.return().catch(() => {});
  }
}

async function next({ answer, eventId }: StreamedAnswer, ctx: Context): Promise<string> {
  const maxBytes = ctx.services.config.maxAnswerBytes;
  const data = await writeJson(answer, { maxBytes, tooLong: () => refuseLong('POST', maxBytes) });
  const id = eventId === undefined ? '' : `id: ${eventId}\n`;
  return `event: next\n${id}data: ${data}\n\n`;
}
