import { finished, PassThrough, type Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/errors.ts';
import { discardBody } from './receive-body.ts';

/**
 * Passes on a body as a stream of at most `maxBytes`. If the reader fails, the rest of the body is discarded for a
 * while instead of cutting the connection, so that the client can read the error.
 */
export async function streamBody<Result>(
  { raw: source, headers }: FastifyRequest,
  maxBytes: number,
  read: (bytes: Readable) => Promise<Result>,
): Promise<Result> {
  const bytes = new PassThrough();
  // After the reader has failed, an error of the body would have no other handler.
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
