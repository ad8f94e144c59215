import { buffer } from 'node:stream/consumers';
import type { GuardedFetch } from './guarded-fetch.ts';

export interface JsonRequest {
  url: string;
  headers?: Record<string, string>;
  body: unknown;
  /** Maximum size of the response in bytes. */
  maxBytes: number;
  /** Ends the request when it is aborted. */
  signal?: AbortSignal | undefined;
}

/**
 * Posts JSON, and returns the status and the JSON of the response, undefined if it is none. Redirects are not followed,
 * since requests to APIs have keys. Throws `OutboundError` if there is no response.
 */
export async function postJson(
  fetch: GuardedFetch,
  { url, headers = {}, body, maxBytes, signal }: JsonRequest,
): Promise<{ status: number; json: unknown }> {
  const response = await fetch({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
    maxBytes,
    followRedirects: false,
    signal,
  });
  return { status: response.status, json: jsonOf((await buffer(response.body)).toString('utf8')) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
