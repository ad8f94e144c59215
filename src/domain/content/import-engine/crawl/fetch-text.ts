import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedFetch } from '../../../../platform/outbound/guarded-fetch.ts';
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts';

/** Time limit for one page, from the request to the last byte. */
const TIMEOUT_MS = 15_000;
const MAX_WAIT_MS = 10_000;

/** The bytes at a URL, or the reason why it could not be read. */
export type FetchedBytes =
  | { url: string; status: number; contentType: string; bytes: Buffer }
  | { url: string; status?: number; failure: string };

/** Downloads a URL. After a 429 or 503, it tries a second time, up to 10 seconds later. */
export async function fetchText(
  fetch: GuardedFetch,
  url: string,
  maxBytes: number,
  accept: string,
): Promise<FetchedBytes> {
  const first = await fetchOnce(fetch, url, maxBytes, accept);
  if (!('failure' in first) || first.wait === undefined) return first;
  await sleep(first.wait);
  return fetchOnce(fetch, url, maxBytes, accept);
}

async function fetchOnce(
  fetch: GuardedFetch,
  url: string,
  maxBytes: number,
  accept: string,
): Promise<FetchedBytes & { wait?: number }> {
  try {
    const {
      status,
      headers,
      url: at,
      body,
    } = await fetch({ url, maxBytes, timeoutMs: TIMEOUT_MS, headers: { accept } });
    if (status === 200) {
      return { url: at, status, contentType: headers['content-type'] ?? '', bytes: await buffer(body) };
    }
    body.destroy();
    const failure = { url: at, status, failure: `the server responded with status ${status}` };
    return status === 429 || status === 503 ? { ...failure, wait: waitOf(headers['retry-after']) } : failure;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { url, failure: error.message.replace(/\.$/, '') };
  }
}

/** Milliseconds to wait by `Retry-After` (RFC 9110, section 10.2.3): at most 10 seconds, 2 by default. */
const waitOf = (header: string | undefined) => Math.min(MAX_WAIT_MS, (Number(header) || 2) * 1000);
