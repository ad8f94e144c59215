export type OutboundErrorCode =
  | 'BAD_URL'
  | 'PRIVATE_ADDRESS'
  | 'TOO_MANY_REDIRECTS'
  | 'FETCH_TIMEOUT'
  | 'FETCH_ERROR'
  | 'TOO_LARGE';

/**
 * Why an outbound request came to nothing. The message is written for whoever named the address: it holds its origin and
 * no more, since paths, queries and userinfo carry secrets, and never what a name resolves to.
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

export const tooLarge = (maxBytes: number) =>
  new OutboundError('TOO_LARGE', `The response is larger than the allowed ${maxBytes} bytes.`);

/** What failed on the way, told without more than the origin and the system's code; the whole of it is the cause. */
export function outboundError(error: unknown, origin: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const code = TIMEOUTS.has(reason) ? 'FETCH_TIMEOUT' : 'FETCH_ERROR';
  return new OutboundError(code, `The request to ${origin} failed (${reason}).`, error);
}

/** The system gave up connecting, or undici did. */
const TIMEOUTS = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT']);
