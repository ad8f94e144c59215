import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Services } from '../../../platform/context/services.ts';
import { networkOf } from '../../../platform/rate-limit/address-bucket.ts';
import { readMetadata } from './client-metadata.ts';
import { countAgainstLimit } from './limits.ts';

const MAX_BYTES = 5_120;
const TIMEOUT_MS = 5_000;

/** The request for which a document is fetched. */
export interface DocumentRequester {
  address: string;
  /** What the request has sent as codes and tokens. */
  credentials: readonly string[];
}

/** Why a document was not requested from its host: a limit, or a fault of the service, which is the cause. */
export class NotRequested extends Error {}

/**
 * Fetches the metadata document of a client, from public addresses only and without following redirects. What has no
 * effect is left out, and clients that name no way to authenticate need none, since a document has no secret. The
 * requester is undefined on pages of the account, about clients that were found before. Throws `NotRequested`.
 */
export async function fetchDocument(
  services: Services,
  url: string | URL,
  { headers, requester }: { headers?: Headers | undefined; requester: DocumentRequester | undefined },
): Promise<Response> {
  await countRequest(services, String(url), requester).catch((cause: unknown) => {
    throw new NotRequested('The document was not requested.', { cause });
  });
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

/**
 * Counts a request to a host. One network has at most a third of all, so that others can connect applications too.
 * Connected applications do not count: how long they stay connected must not depend on requests of strangers.
 */
async function countRequest(services: Services, url: string, requester?: DocumentRequester): Promise<void> {
  if (requester && (await isConnected(services, url, requester.credentials))) return;
  const { host } = new URL(url);
  if (requester) await countAgainstLimit(services, 'documentNetwork', `${host} ${networkOf(requester.address)}`);
  await countAgainstLimit(services, 'document', host);
}

const ISSUED = ['AccessToken', 'AuthorizationCode', 'RefreshToken'];

/** Whether one of the credentials was issued to the client. */
async function isConnected({ db, clock }: Services, clientId: string, credentials: readonly string[]) {
  if (credentials.length === 0) return false;
  const idHashes = credentials.map((credential) => hash('sha256', credential));
  const issued = await db
    .selectFrom('oauth_record as r')
    .innerJoin('oauth_grant as g', 'g.id', 'r.grantId')
    .where('g.clientId', '=', clientId)
    .where('r.expiresAt', '>', clock().toISOString())
    .where('r.type', 'in', ISSUED)
    .where('r.idHash', 'in', idHashes)
    .select('r.grantId')
    .executeTakeFirst();
  return issued !== undefined;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
