import { buffer } from 'node:stream/consumers';
import type { z } from 'zod';
import type { Context } from '../../../../platform/context.ts';
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts';
import { ProviderError } from './provider.ts';

const MAX_ANSWER_BYTES = 10_000_000;

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
 * Posts JSON to a provider, through the guarded client, and returns its answer of a known shape. Throws a `ProviderError` if there is
 * none. Redirects are not followed, since the request has a key.
 */
export async function askProvider<Shape extends z.ZodType>(
  ctx: Context,
  { url, headers = {}, body, signal }: ProviderRequest,
  shape: Shape,
): Promise<z.output<Shape>> {
  signal.throwIfAborted();
  const { origin } = new URL(url);
  const { status, text } = await send(ctx, { url, headers, body }).catch((error) => {
    if (!(error instanceof OutboundError)) throw error;
    throw new ProviderError(`The provider at ${origin} did not answer: ${error.message}`, true);
  });
  if (status !== 200) {
    throw new ProviderError(`The provider at ${origin} responded with status ${status}.`, isTransient(status));
  }
  const answer = shape.safeParse(jsonOf(text));
  if (answer.success) return answer.data;
  throw new ProviderError(`The provider at ${origin} responded with something else than translations.`, false);
}

async function send(ctx: Context, { url, headers, body }: Required<Omit<ProviderRequest, 'signal'>>) {
  const response = await ctx.services.fetch({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
    maxBytes: MAX_ANSWER_BYTES,
    followRedirects: false,
  });
  return { status: response.status, text: (await buffer(response.body)).toString('utf8') };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
