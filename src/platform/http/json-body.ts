import type { FastifyRequest } from 'fastify';
import { Refusal } from '../errors.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body. An empty one counts as absent, since many clients name a content type on every POST. Bytes that
 * are not UTF-8 (RFC 8259, 8.1) are refused rather than replaced.
 */
export function parseJson(
  _request: FastifyRequest,
  body: Buffer | string,
  done: (error: Error | null, value?: unknown) => void,
): void {
  if (body.length === 0) {
    done(null, undefined);
    return;
  }
  const text = decodeUtf8(body);
  if (text === undefined) {
    done(new Refusal('BAD_USER_INPUT', 'The body is not valid UTF-8.'));
    return;
  }
  try {
    done(null, JSON.parse(text));
  } catch (error) {
    const reason = error instanceof Error ? ` (${error.message.slice(0, 120)})` : '';
    done(new Refusal('BAD_USER_INPUT', `The body is not valid JSON${reason}.`));
  }
}

function decodeUtf8(body: Buffer | string): string | undefined {
  if (typeof body === 'string') return body;
  try {
    return decoder.decode(body);
  } catch {
    return undefined;
  }
}
