import type { z } from 'zod';
import type { Context } from '../../../../platform/context/context.ts';
import { loggable } from '../../../../platform/log/loggable.ts';
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts';
import { postJson } from '../../../../platform/outbound/post-json.ts';
import { ProviderError } from './provider.ts';

const MAX_RESPONSE_BYTES = 10_000_000;

/** Statuses after which the same request may be answered later. */
const isTransient = (status: number) => status === 408 || status === 429 || status >= 500;

/** Settings of a provider on another server. */
export interface RemoteSettings {
  url: string | null;
  model: string | null;
  apiKey: string | null;
  /** Characters that may be sent in a calendar month. */
  characterLimit: number | null;
}

export interface ProviderRequest {
  url: string;
  headers?: Record<string, string>;
  body: unknown;
  signal: AbortSignal;
}

/**
 * Posts JSON to a provider and returns its response of a known shape. Throws a `ProviderError` if there is none. Its
 * message does not tell where the provider is: all users who can read the translation see it.
 */
export async function askProvider<Shape extends z.ZodType>(
  ctx: Context,
  { url, headers = {}, body, signal }: ProviderRequest,
  shape: Shape,
): Promise<z.output<Shape>> {
  signal.throwIfAborted();
  const request = { url, headers, body, maxBytes: MAX_RESPONSE_BYTES, signal };
  const { status, json } = await postJson(ctx.services.fetch, request).catch((error) => {
    signal.throwIfAborted();
    if (!(error instanceof OutboundError)) throw error;
    ctx.log.warn({ err: loggable(error) }, 'a translation provider did not respond');
    throw new ProviderError(`The translation provider did not respond (${error.code}).`, true);
  });
  if (status !== 200) {
    throw new ProviderError(`The translation provider responded with status ${status}.`, isTransient(status));
  }
  const response = shape.safeParse(json);
  if (response.success) return response.data;
  throw new ProviderError('The response of the translation provider does not contain translations.', false, true);
}
