import { ApiError } from '../errors.ts';
import { jsonExcess } from '../json-limits.ts';
import { JsonFault, readJson } from './read-json.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Bodies up to this size are parsed in one go: a few milliseconds. */
const SMALL = 256 * 1024;

/**
 * Parses a JSON body within `JSON_LIMITS`. An empty body counts as absent, since many clients set a content type on
 * every POST. Bytes that are not UTF-8 (RFC 8259, 8.1) are rejected and not replaced. The event loop runs while large
 * bodies are parsed.
 */
export async function parseJson(body: Buffer): Promise<unknown> {
  if (body.length <= SMALL) return parseSmall(body);
  try {
    return await readJson(body);
  } catch (error) {
    throw error instanceof JsonFault ? new ApiError('BAD_USER_INPUT', `The body ${error.message}.`) : error;
  }
}

function parseSmall(body: Buffer): unknown {
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

/** Replaces a body that is not JSON, so that the permission is checked before the error is returned. */
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
