import { makeYielder } from '../../../lib/tick.ts';
import { ApiError } from '../../errors/errors.ts';
import { jsonExcess } from './json-scan.ts';
import { takeJsonSlot } from './json-slots.ts';
import { JsonFault, readJson } from './read-json.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Bodies up to this size are parsed at once: at most 30 ms, for 5,000 distinct names in 10,000 objects. */
const PARSED_AT_ONCE_BYTES = 256 * 1024;

/**
 * Parses a JSON body within `JSON_LIMITS`. An empty body counts as absent, since many clients set a content type on
 * every POST. Bytes that are not UTF-8 (RFC 8259, 8.1) are rejected and not replaced. The event loop runs while large
 * bodies are parsed, one at a time.
 */
export async function parseJson(body: Buffer, yieldTick = makeYielder()): Promise<unknown> {
  if (body.length <= PARSED_AT_ONCE_BYTES) return parseSmall(body);
  using _slot = await takeJsonSlot();
  try {
    return await readJson(body, yieldTick);
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
