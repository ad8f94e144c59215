import { buffer } from 'node:stream/consumers';
import type { Services } from '../../../platform/context/services.ts';
import { readMetadata } from './client-metadata.ts';
import { countAgainstLimit } from './limits.ts';

const MAX_BYTES = 5_120;
const TIMEOUT_MS = 5_000;

/**
 * Fetches the metadata document of a client, from public addresses only and without following redirects. What has no effect
 * is left out, and clients that name no way to authenticate need none, since a document has no secret.
 */
export async function fetchDocument(services: Services, url: string | URL, headers?: Headers): Promise<Response> {
  await countAgainstLimit(services, 'document', new URL(url).host);
  const received = await services.fetch({
    url: String(url),
    headers: Object.fromEntries(headers ?? []),
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    followRedirects: false,
  });
  const bytes = await buffer(received.body);
  const { status } = received;
  if (status !== 200) return new Response(null, { status: status === 101 ? 502 : status });
  const read = readMetadata(parseJson(bytes));
  if ('fault' in read) return new Response(null, { status: 422 });
  const document = { token_endpoint_auth_method: 'none', ...read.metadata };
  return new Response(JSON.stringify(document), { status, headers: received.headers });
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
