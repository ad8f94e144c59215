import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, unauthenticated } from '../errors.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { BODY_ROOM, type ByteBudget, type Hold, meteredBudget, sharesIn } from './byte-budget.ts';
import { isKnownCaller } from './caller.ts';
import { discardBody } from './discard-body.ts';
import { BrokenJson, parseJson } from './json-body.ts';
import { receiveBody } from './receive-body.ts';

export const BODY_LIMIT = 10 * 1024 * 1024;
/** What is read for a caller without an access token, unless a route declares more. */
export const ANONYMOUS_BODY_LIMIT = 64 * 1024;
/** How long the body of a caller without an access token may take to arrive. */
const ANONYMOUS_ARRIVAL_MS = 30_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Only callers with an access token get an answer here: others are refused before anything is read. */
    needsToken?: boolean;
    /** Bytes of a body that are read for a caller without an access token. */
    anonymousBody?: number | undefined;
  }
  interface FastifyRequest {
    /** The memory of its body, held until the request is answered or its client has left. */
    bodyHold: Hold | undefined;
  }
}

/**
 * Stands between the headers of a request, which name the caller, and its body. A caller whose token is refused, or who
 * needs one and has none, is answered before the body is read; others without a token are read a small body only. What
 * all requests hold in memory is bounded in the process, for each caller and for all anonymous ones together; what is
 * beyond is 503. To be registered after the caller is identified.
 */
export function guardBodies(server: FastifyInstance, { heldBytes }: Pick<Metrics, 'heldBytes'>): void {
  const budget = meteredBudget(heldBytes, 'bodies');
  server.decorateRequest('bodyHold', undefined);
  server.addHook('preParsing', async (request, reply, payload) => {
    if (!request.is404) rejectUnknown(request);
    // What was parsed lives as long as the request, and the bytes it came in stand for it.
    reply.raw.once('close', () => request.bodyHold?.release());
    return payload;
  });
  server.addHook('onResponse', async ({ raw }) => discardBody(raw));
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', async (request: FastifyRequest) =>
    parsedFor(request, await receiveFor(request, budget)),
  );
}

/** Routes of REST find out first whether the caller may do what they are asked for. */
function parsedFor({ routeOptions }: FastifyRequest, bytes: Buffer): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    if (error instanceof ApiError && routeOptions.config.operationId !== undefined) return new BrokenJson(error);
    throw error;
  }
}

/** A token that is refused keeps nobody from reading what is open to all. */
function rejectUnknown({ caller, headers, routeOptions: { config } }: FastifyRequest): void {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (caller?.actor instanceof ApiError && (hasBody || config.needsToken)) throw caller.actor;
  if (config.needsToken && caller && !isKnownCaller(caller)) throw unauthenticated();
}

async function receiveFor(request: FastifyRequest, budget: ByteBudget): Promise<Buffer> {
  const { raw, caller, headers, routeOptions } = request;
  const isKnown = isKnownCaller(caller);
  const maxBytes = isKnown ? BODY_LIMIT : (routeOptions.config.anonymousBody ?? ANONYMOUS_BODY_LIMIT);
  const tooLarge = isKnown
    ? TOO_LARGE
    : `The body is too large; without an access token the limit is ${maxBytes} bytes.`;
  if (Number(headers['content-length']) > maxBytes) throw new ApiError('PAYLOAD_TOO_LARGE', tooLarge);
  const hold = budget.hold(sharesIn(BODY_ROOM, request));
  request.bodyHold = hold;
  return receiveBody(raw, { maxBytes, tooLarge, hold, arrivalMs: isKnown ? undefined : ANONYMOUS_ARRIVAL_MS });
}

const TOO_LARGE = 'The body is too large; the limit is 10 MB.';
