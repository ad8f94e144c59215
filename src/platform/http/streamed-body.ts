import { finished, PassThrough, type Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { discardBody } from './discard-body.ts';

/**
 * Hands a body over as a stream of at most `maxBytes`, without holding it. A reader that gives up does not cut the
 * connection: the rest is thrown away for a while, or the sender would see a broken connection and never the apiError.
 */
export async function streamBody<Result>(
  { raw: source, headers }: FastifyRequest,
  maxBytes: number,
  read: (bytes: Readable) => Promise<Result>,
): Promise<Result> {
  const bytes = new PassThrough();
  // A reader may have given up before the body breaks off; nobody else would hear of it.
  bytes.on('error', () => {});
  finished(source, (cause) => cause && bytes.destroy(cause));
  try {
    rejectDeclared(headers['content-length'], maxBytes);
    source.pipe(bytes);
    return await read(bytes);
  } catch (error) {
    if (source.destroyed && !source.complete) {
      throw new ApiError('BAD_USER_INPUT', 'The body is incomplete.');
    }
    source.unpipe(bytes);
    discardBody(source);
    throw error;
  }
}

function rejectDeclared(contentLength: string | undefined, maxBytes: number): void {
  if (contentLength === undefined || Number(contentLength) <= maxBytes) return;
  throw new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The body has ${contentLength} bytes. At most ${maxBytes} bytes are allowed.`,
  );
}
