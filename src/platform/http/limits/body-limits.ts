import type { FastifyInstance, FastifyRequest } from 'fastify';
import { releaseMemory } from '../../../lib/growing-bytes.ts';
import { userRequired } from '../../access/actor.ts';
import { asAccount } from '../../context/account.ts';
import { ApiError, unauthenticated } from '../../errors/errors.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { countedAccount, isKnownCaller } from '../caller.ts';
import { SCIM_JSON } from '../scim.ts';
import { type Limits, meteredBudget, type Reservation, reserveFor } from './byte-budget.ts';
import { BrokenJson, parseJson } from './parse-json.ts';
import { discardBody, receiveBody } from './receive-body.ts';
import type { RequestScheduler } from './request-scheduler.ts';

export const BODY_LIMIT = 10 * 1024 * 1024;
/** Maximum size of the body of a request without an access token, in bytes, unless the route declares another. */
export const ANONYMOUS_BODY_LIMIT = 64 * 1024;
/** Time limit for receiving the body of a request without an access token. */
const ANONYMOUS_ARRIVAL_MS = 30_000;

const MEGABYTE = 1024 * 1024;

/** Memory for bodies. A caller with a token can send several of the largest size, whatever others send. */
const MEMORY: Limits = {
  all: 160 * MEGABYTE,
  caller: 40 * MEGABYTE,
  anonymous: 32 * MEGABYTE,
  address: 4 * MEGABYTE,
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requires an access token. Other requests are rejected before their body is read. */
    needsToken?: boolean;
    /** Maximum size of the body of a request without an access token, in bytes. */
    anonymousBody?: number | undefined;
    /** The body is a form of a browser: `URLSearchParams`. */
    takesForm?: boolean;
    /** The body is JSON, also with the media type of SCIM. */
    takesScim?: boolean;
  }
  interface FastifyRequest {
    /** Memory reserved for the body, until the response is sent or the client disconnects. */
    bodyReservation: Reservation | undefined;
    /** Size of the body in bytes, once it has arrived. */
    bodyBytes: number;
  }
}

/**
 * Authenticates before reading the body. Requests with an invalid token, or without a required one, are rejected before
 * their body is read. Other requests without a token can only send a small body. The memory for bodies is limited per
 * process, per caller and for all anonymous callers together; requests beyond the limits get 503. Register after the
 * caller is identified.
 */
export function limitBodies(
  server: FastifyInstance,
  scheduler: RequestScheduler,
  { heldBytes }: Pick<Metrics, 'heldBytes'>,
): void {
  const budget = meteredBudget(heldBytes, 'bodies');
  const receive = (request: FastifyRequest) => receiveWithin(scheduler, request);
  server.decorateRequest('bodyReservation', undefined);
  server.decorateRequest('bodyBytes', 0);
  server.addHook('preParsing', (request, reply, _payload, done) => {
    if (!request.is404) rejectUnknown(request);
    // The parsed body is kept as long as the request. The size of its bytes approximates its memory.
    if (hasBody(request)) request.bodyReservation = reserveFor(request, reply, { budget, limits: MEMORY });
    done();
  });
  server.addHook('onResponse', ({ raw }, _reply, done) => {
    discardBody(raw);
    done();
  });
  server.removeAllContentTypeParsers();
  const parseBody = async (request: FastifyRequest) => {
    const bytes = await receive(request);
    await scheduler.enter(countedAccount(request));
    return asAccount(countedAccount(request), () => parsedFor(request, bytes));
  };
  server.addContentTypeParser('application/json', parseBody);
  server.addContentTypeParser(SCIM_JSON, async (request: FastifyRequest) => {
    if (!request.is404 && !request.routeOptions.config.takesScim) throw new ApiError('UNSUPPORTED_MEDIA_TYPE', NO_JSON);
    return parseBody(request);
  });
  server.addContentTypeParser('application/x-www-form-urlencoded', async (request: FastifyRequest) => {
    if (!request.routeOptions.config.takesForm) throw new ApiError('UNSUPPORTED_MEDIA_TYPE', NO_JSON);
    return new URLSearchParams((await receive(request)).toString('utf8'));
  });
}

/** The same as for other media types. */
const NO_JSON = 'The body must be JSON, sent with "Content-Type: application/json".';

/** REST routes check the permission before they report an invalid body. */
async function parsedFor({ routeOptions }: FastifyRequest, bytes: Buffer): Promise<unknown> {
  try {
    return await parseJson(bytes);
  } catch (error) {
    if (error instanceof ApiError && routeOptions.config.operationId !== undefined) return new BrokenJson(error);
    throw error;
  } finally {
    releaseMemory(bytes);
  }
}

/** Routes that ignore the caller also ignore an invalid token. */
function rejectUnknown(request: FastifyRequest): void {
  const { caller } = request;
  if (!caller || isKnownCaller(caller)) return;
  const { needsToken } = request.routeOptions.config;
  const { actor } = caller;
  if (actor instanceof ApiError) {
    if (hasBody(request) || needsToken) throw actor;
    return;
  }
  if (needsToken) throw actor.kind === 'visitor' ? userRequired() : unauthenticated();
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Receives the body of a request within the limits of its caller. */
async function receiveWithin(scheduler: RequestScheduler, request: FastifyRequest): Promise<Buffer> {
  const { raw, caller, headers, routeOptions, bodyReservation: reservation } = request;
  if (!reservation) return Buffer.alloc(0); // no body is declared
  const isKnown = isKnownCaller(caller);
  const maxBytes = isKnown ? BODY_LIMIT : (routeOptions.config.anonymousBody ?? ANONYMOUS_BODY_LIMIT);
  const tooLarge = isKnown
    ? TOO_LARGE
    : `The body is too large; without an access token the limit is ${maxBytes} bytes.`;
  const declaredBytes = Number(headers['content-length'] ?? 0);
  if (declaredBytes > maxBytes) throw new ApiError('PAYLOAD_TOO_LARGE', tooLarge);
  const arrivalMs = isKnown ? undefined : ANONYMOUS_ARRIVAL_MS;
  const enter = () => scheduler.enter(countedAccount(request));
  const bytes = await receiveBody(raw, { maxBytes, declaredBytes, tooLarge, reservation, arrivalMs, enter });
  request.bodyBytes = bytes.length;
  return bytes;
}

const TOO_LARGE = 'The body is too large; the limit is 10 MB.';
