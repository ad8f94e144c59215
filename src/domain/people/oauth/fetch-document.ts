import { buffer } from 'node:stream/consumers';
import type { Services } from '../../../platform/context/services.ts';

/** Metadata documents of clients have 5 kB at most, as the library checks. */
const MAX_BYTES = 16_384;
const TIMEOUT_MS = 5_000;

/** Fetches a document that a client names, from public addresses only and without following redirects. */
export async function fetchDocument(services: Services, url: string | URL, headers?: Headers): Promise<Response> {
  const {
    status,
    headers: received,
    body,
  } = await services.fetch({
    url: String(url),
    headers: Object.fromEntries(headers ?? []),
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    followRedirects: false,
  });
  const bytes = await buffer(body);
  return new Response(status === 204 || status === 304 ? null : new Uint8Array(bytes), { status, headers: received });
}
