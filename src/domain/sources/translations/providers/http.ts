import type { z } from 'zod';
import type { Context } from '../../../../platform/context/context.ts';
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

/** Posts JSON to a provider and returns its response of a known shape. Throws a `ProviderError` if there is none. */
export async function askProvider<Shape extends z.ZodType>(
  ctx: Context,
  { url, headers = {}, body, signal }: ProviderRequest,
  shape: Shape,
): Promise<z.output<Shape>> {
  signal.throwIfAborted();
  const { origin } = new URL(url);
  const request = { url, headers, body, maxBytes: MAX_RESPONSE_BYTES, signal };
  const { status, json } = await postJson(ctx.services.fetch, request).catch((error) => {
    signal.throwIfAborted();
    if (!(error instanceof OutboundError)) throw error;
    throw new ProviderError(`The provider at ${origin} did not respond: ${error.message}`, true);
  });
  if (status !== 200) {
    throw new ProviderError(`The provider at ${origin} responded with status ${status}.`, isTransient(status));
  }
  const response = shape.safeParse(json);
  if (response.success) return response.data;
  throw new ProviderError(`The response of the provider at ${origin} does not contain translations.`, false, true);
}
