import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../../platform/context/context.ts';
import { SharedWork } from '../../../platform/reads/shared-work.ts';

/** A response of a site, as it is sent. */
export interface SiteResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** The page that is shown as HTML. */
  pageId?: string;
  /** Whether the response has results of a search. */
  isSearch?: true;
  /**
   * Time to cache the response, in milliseconds. By default, as long as the key is in use.
   */
  cacheMs?: number;
}

/** A cached response with its entity tag, and its encodings for HTTP. */
export interface CachedResponse extends Omit<SiteResponse, 'body'> {
  body: Buffer;
  etag: string;
  encoded: Map<string, Promise<Buffer>>;
}

/** Key of a cached response. */
export interface CacheKey {
  /** Owner of the quota: a response first evicts those of the same owner. */
  owner: string;
  /** Everything that the response depends on, and the audience. */
  key: string;
}

const MAX_BYTES = 96_000_000;
/** Maximum part of the memory for one owner. */
const MAX_SHARE = MAX_BYTES / 4;
/** A response with its compressed forms. */
const COMPRESSED_FORMS_FACTOR = 1.5;
const OVERHEAD_BYTES = 2_000;

/**
 * The most recently used responses, by owner and key. An owner can use up to a quarter of the memory. When all of it is
 * in use, entries of the largest owner are evicted, so that an owner with many pages or audiences does not evict those
 * of others.
 */
export class ResponseCache {
  readonly #maxBytes: number;
  readonly #maxShare: number;
  readonly #shares = new Map<string, LRUCache<string, CachedResponse>>();

  constructor(maxBytes: number, maxShare: number) {
    this.#maxBytes = maxBytes;
    this.#maxShare = maxShare;
  }

  get({ owner, key }: CacheKey): CachedResponse | undefined {
    return this.#shares.get(owner)?.get(key);
  }

  set({ owner, key }: CacheKey, response: CachedResponse): void {
    let share = this.#shares.get(owner);
    if (!share) {
      share = new LRUCache({ maxSize: this.#maxShare, sizeCalculation: sizeOf });
      this.#shares.set(owner, share);
    }
    share.set(key, response, response.cacheMs === undefined ? {} : { ttl: response.cacheMs });
    this.#makeRoom();
  }

  #makeRoom(): void {
    let total = 0;
    for (const [owner, { calculatedSize }] of this.#shares) {
      if (calculatedSize === 0) this.#shares.delete(owner);
      total += calculatedSize;
    }
    while (total > this.#maxBytes) {
      let largest: LRUCache<string, CachedResponse> | undefined;
      for (const share of this.#shares.values()) {
        if (share.calculatedSize > (largest?.calculatedSize ?? 0)) largest = share;
      }
      if (!largest) return;
      total -= largest.calculatedSize;
      largest.pop();
      total += largest.calculatedSize;
    }
  }
}

const sizeOf = ({ body }: CachedResponse) => Math.ceil(body.length * COMPRESSED_FORMS_FACTOR) + OVERHEAD_BYTES;

const cache = new ResponseCache(MAX_BYTES, MAX_SHARE);
const making = new SharedWork<CachedResponse>();

type Make = (workCtx: Context) => Promise<SiteResponse | CachedResponse>;

/**
 * Returns the response for a key. Callers have checked that the visitor may see it. Concurrent requests share the work,
 * which `make` does with the context that it gets. Errors, redirects, and responses that clients must not store or
 * reuse are not cached: a redirect can be created for a path at any time, and there is no end of paths without a page.
 */
export const cachedResponse = (ctx: Context, by: CacheKey | undefined, make: Make): Promise<CachedResponse> =>
  cachedIf(isReusable, ctx, by, make);

/**
 * The same for what many paths respond with, such as the page for those that lead nowhere. Caches it whatever its
 * status.
 */
export const cachedFragment = (ctx: Context, by: CacheKey | undefined, make: Make): Promise<CachedResponse> =>
  cachedIf(() => true, ctx, by, make);

async function cachedIf(
  isCacheable: (response: CachedResponse) => boolean,
  ctx: Context,
  by: CacheKey | undefined,
  make: Make,
): Promise<CachedResponse> {
  if (!by) return toCached(await make(ctx));
  const cached = cache.get(by);
  if (cached) return cached;
  return making.join(ctx, JSON.stringify([by.owner, by.key]), async (workCtx) => {
    const response = toCached(await make(workCtx));
    if (isCacheable(response)) cache.set(by, response);
    return response;
  });
}

const isReusable = ({ status, headers }: CachedResponse) =>
  status === 200 && !/no-store|no-cache/.test(headers['cache-control'] ?? '');

export function toCached(response: SiteResponse | CachedResponse): CachedResponse {
  if ('etag' in response) return response;
  const { body: text, cacheMs, ...sent } = response;
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  const etag = `"${createHash('sha256').update(JSON.stringify(sent)).update(body).digest('base64url').slice(0, 22)}"`;
  return { ...sent, ...(cacheMs !== undefined && { cacheMs }), body, etag, encoded: new Map() };
}
