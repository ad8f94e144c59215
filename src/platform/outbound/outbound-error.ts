export type OutboundErrorCode =
  | 'BAD_URL'
  | 'PRIVATE_ADDRESS'
  | 'TOO_MANY_REDIRECTS'
  | 'FETCH_TIMEOUT'
  | 'FETCH_ERROR'
  | 'TOO_LARGE';

/**
 * Why an outbound request failed. The message can be shown to the user who entered the URL. It contains only the
 * origin, since paths, queries and userinfo can contain secrets, and never a resolved address.
 */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode;

  constructor(code: OutboundErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OutboundError';
    this.code = code;
  }
}

export const timedOut = (milliseconds: number) =>
  new OutboundError('FETCH_TIMEOUT', `The server did not complete its response within ${milliseconds} ms.`);

export const responseTooLarge = (maxBytes: number) =>
  new OutboundError('TOO_LARGE', `The response is larger than the allowed ${maxBytes} bytes.`);

/**
 * Converts an error of a request. The message contains only the origin and the system's error code. The original error
 * is the cause.
 */
export function outboundError(error: unknown, origin: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const code = TIMEOUTS.has(reason) ? 'FETCH_TIMEOUT' : 'FETCH_ERROR';
  return new OutboundError(code, `The request to ${origin} failed (${reason}).`, error);
}

/** Connection timeouts of the system and of undici. */
const TIMEOUTS = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT']);
