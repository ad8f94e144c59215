import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../platform/context/context.ts';
import { OutboundError } from '../../../platform/outbound/outbound-error.ts';
import { type JsonRequest, postJson } from '../../../platform/outbound/post-json.ts';

const RETRIES = 2;
const RETRY_MS = 500;

/** A model that has failed is not asked again for so long. */
export const PAUSE_MINUTES = 10;

/** A model did not return the requested values. The message does not contain the URL. */
export class ModelError extends Error {
  override name = 'ModelError';
  /** Whether the same request may be answered soon. */
  readonly isTransient: boolean;
  /** Whether the model has answered, so that the request counts. */
  readonly isAnswered: boolean;
  constructor(message: string, { isTransient = false, isAnswered = false } = {}) {
    super(message);
    this.isTransient = isTransient;
    this.isAnswered = isAnswered;
  }
}

/**
 * Posts JSON to a model of the settings, and returns the JSON of its response. Throws a `ModelError` if there is none.
 */
export async function askModel({ services }: Context, request: JsonRequest): Promise<unknown> {
  const { status, json } = await postJson(services.fetch, request).catch((error) => {
    if (!(error instanceof OutboundError)) throw error;
    throw new ModelError(`The model could not be reached (${error.code}).`, {
      isTransient: error.code === 'FETCH_ERROR',
    });
  });
  if (status === 200) return json;
  const isTransient = status === 408 || status === 429 || status >= 500;
  throw new ModelError(`The model responded with status ${status}.`, { isTransient });
}

/**
 * Asks, and again after a while if the model is overloaded. `count` is called for each response, also an unusable one.
 */
export async function askRepeatedly<Result>(
  ask: () => Promise<Result>,
  { count, signal }: { count: () => Promise<void>; signal: AbortSignal },
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted();
    try {
      const result = await ask();
      await count();
      return result;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      if (error.isAnswered) await count();
      if (tries >= RETRIES || !error.isTransient) throw error;
      await sleep(RETRY_MS * 2 ** tries, undefined, { signal });
    }
  }
}
