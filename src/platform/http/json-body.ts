import { ApiError } from '../errors.ts';
import { jsonExcess } from '../json-limits.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body, which has at most what `JSON_LIMITS` says. An empty one counts as absent, since many clients name a
 * content type on every POST. Bytes that are not UTF-8 (RFC 8259, 8.1) are refused rather than replaced.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  const excess = jsonExcess(body);
  if (excess !== undefined) throw new ApiError('BAD_USER_INPUT', `The body ${excess}.`);
  const text = decodeUtf8(body);
  if (text === undefined) throw new ApiError('BAD_USER_INPUT', 'The body is not valid UTF-8.');
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? ` (${error.message.slice(0, 120)})` : '';
    throw new ApiError('BAD_USER_INPUT', `The body is not valid JSON${reason}.`);
  }
}

/** In place of a body that is no JSON: whoever may not do what it was to do hears that first. */
export class BrokenJson {
  readonly apiError: ApiError;

  constructor(apiError: ApiError) {
    this.apiError = apiError;
  }
}

function decodeUtf8(body: Buffer): string | undefined {
  try {
    return decoder.decode(body);
  } catch {
    return undefined;
  }
}
