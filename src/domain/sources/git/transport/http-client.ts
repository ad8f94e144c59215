import { buffer } from 'node:stream/consumers';
import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { makeGuardedFetch } from '../../../../platform/outbound/guarded-fetch.ts';
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts';
import type { Remote } from './remote.ts';

/** Maximum size of a response, and so of a pack. */
export const MAX_PACK_BYTES = 128 * 1024 * 1024;

/**
 * The HTTP client of isomorphic-git over a guarded fetch of this worker, so that addresses, redirects, sizes and times
 * are limited like those of all outbound requests. The caller must close it.
 */
export function gitHttp({ authorization, allowPrivateNetwork, timeoutMs, ref }: Remote): HttpClient & {
  close(): Promise<void>;
} {
  const fetch = makeGuardedFetch({ timeoutMs, ...(allowPrivateNetwork && { allows: () => true }) });
  const base = new MovedBase();
  return {
    async request({ url: requestedUrl, method = 'GET', headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> {
      const url = base.present(requestedUrl);
      const isSame = new URL(url).origin === new URL(requestedUrl).origin;
      const request = {
        url,
        method,
        // Packs are compressed already.
        headers: { ...headers, 'accept-encoding': 'identity', ...(isSame && authorization && { authorization }) },
        ...(body && { body: await collected(body) }),
        maxBytes: MAX_PACK_BYTES,
      };
      const response = await fetch(request).catch((error: unknown) => {
        if (!isClosed(error) || url.endsWith(PUSH)) throw error;
        return fetch(request);
      });
      base.note(requestedUrl, response.url);
      return {
        url: response.url,
        method,
        headers: response.headers,
        statusCode: response.status,
        statusMessage: String(response.status),
        body: url.endsWith(ADVERTISEMENT) ? advertised(response.body, ref) : chunksOf(response.body),
      };
    },
    close: () => fetch.close(),
  };
}

/**
 * Where a repository is, once a server has redirected the request for its refs. Everything else is requested there,
 * since a redirected POST loses its body. `git` does the same (git-config, `http.followRedirects`).
 */
class MovedBase {
  #from = '';
  #to = '';

  note(requestedUrl: string, responseUrl: string): void {
    const [tail] = REFS.exec(requestedUrl) ?? [];
    if (tail === undefined || requestedUrl === responseUrl || !responseUrl.endsWith(tail)) return;
    this.#from = requestedUrl.slice(0, -tail.length);
    this.#to = responseUrl.slice(0, -tail.length);
  }

  present(url: string): string {
    return this.#from !== '' && url.startsWith(`${this.#from}/`) ? this.#to + url.slice(this.#from.length) : url;
  }
}

const REFS = /\/info\/refs\?service=git-(?:upload|receive)-pack$/;

const PUSH = '/git-receive-pack';

/**
 * Whether the server closed the connection before it responded. It can close one that was kept open in the moment of a
 * request, so what only reads is requested again, once (RFC 9112, 9.3.1).
 */
const isClosed = (error: unknown): boolean =>
  error instanceof OutboundError &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  (error.cause.code === 'UND_ERR_SOCKET' || error.cause.code === 'ECONNRESET');

const collected = (body: AsyncIterable<Uint8Array>): Promise<Buffer> =>
  buffer(body as unknown as NodeJS.ReadableStream); // any asynchronous iterable of bytes

async function* chunksOf(body: AsyncIterable<Uint8Array>): AsyncIterableIterator<Uint8Array> {
  yield* body;
}

const ADVERTISEMENT = '/info/refs?service=git-upload-pack';

/**
 * isomorphic-git fetches only from repositories with a HEAD, but a server leaves it out while the default branch has no
 * commit (gitprotocol-pack, "Reference Discovery"). The branch is named as HEAD then.
 */
async function* advertised(body: AsyncIterable<Uint8Array>, ref: string): AsyncIterableIterator<Uint8Array> {
  const text = (await collected(body)).toString('utf8');
  const end = text.indexOf('\n', text.indexOf('\0'));
  const start = text.indexOf('0000') + 4;
  const first = text.slice(start + 4, end);
  const isWithout = end > 0 && first.includes('\0') && !/ HEAD[\0\n]/.test(text) && !first.includes(' symref=HEAD:');
  const line = `${first} symref=HEAD:${ref}\n`;
  const length = (Buffer.byteLength(line) + 4).toString(16).padStart(4, '0');
  yield Buffer.from(isWithout ? `${text.slice(0, start)}${length}${line}${text.slice(end + 1)}` : text);
}
