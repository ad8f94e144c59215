import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** An answer of a site, as it is sent. */
export interface SiteAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** The page that is shown as HTML. */
  pageId?: string;
  /** Whether the answer has results of a search. */
  isSearch?: true;
  /**
   * How long the answer is kept, in milliseconds. By default, as long as the key is in use; errors, and answers that
   * clients must not store or use again, are not kept.
   */
  keptFor?: number;
}

/** A cached answer, with its entity tag and its forms in the codings of HTTP. */
export interface CachedResponse extends Omit<SiteAnswer, 'body'> {
  body: Buffer;
  etag: string;
  encoded: Map<string, Promise<Buffer>>;
}

/** Cache key of an answer. */
export interface CacheKey {
  /** Who shares the memory: answers evict those of the same owner first. */
  owner: string;
  /** Everything that the answer depends on, and the audience. */
  key: string;
}

const MAX_BYTES = 96_000_000;
/** Of the memory, what one owner can have. */
const MAX_SHARE = MAX_BYTES / 4;
/** An answer with its compressed forms. */
const FORMS = 1.5;
const OVERHEAD = 2_000;

/**
 * Answers by owner and key, the most recently used ones. An owner has up to a quarter of the memory. When all of it is in
 * use, the owner that has most gives way, so that one with many pages or audiences does not evict those of others.
 */
export class AnswerCache {
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

  set({ owner, key }: CacheKey, answer: CachedResponse): void {
    let share = this.#shares.get(owner);
    if (!share) {
      share = new LRUCache({ maxSize: this.#maxShare, sizeCalculation: sizeOf });
      this.#shares.set(owner, share);
    }
    share.set(key, answer, answer.keptFor === undefined ? {} : { ttl: answer.keptFor });
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

const sizeOf = ({ body }: CachedResponse) => Math.ceil(body.length * FORMS) + OVERHEAD;

const kept = new AnswerCache(MAX_BYTES, MAX_SHARE);
const underWay = new Map<string, Promise<CachedResponse>>();

/**
 * The answer for a key. Callers have checked that the visitor may see it. Concurrent requests share the work; where that
 * fails for one, the others do it themselves.
 */
export async function keptAnswer(
  by: CacheKey | undefined,
  make: () => Promise<SiteAnswer | CachedResponse>,
): Promise<CachedResponse> {
  if (!by) return toCached(await make());
  const known = kept.get(by);
  if (known) return known;
  const name = JSON.stringify([by.owner, by.key]);
  const running = underWay.get(name);
  if (running) return running.catch(async () => toCached(await make()));
  const making = make().then(toCached);
  underWay.set(name, making);
  try {
    const made = await making;
    if (isKept(made)) kept.set(by, made);
    return made;
  } finally {
    underWay.delete(name);
  }
}

const isKept = ({ status, headers, keptFor }: CachedResponse) =>
  keptFor !== undefined || (status === 200 && !/no-store|no-cache/.test(headers['cache-control'] ?? ''));

export function toCached(answer: SiteAnswer | CachedResponse): CachedResponse {
  if ('etag' in answer) return answer;
  const { body: text, keptFor, ...sent } = answer;
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  const etag = `"${createHash('sha256').update(JSON.stringify(sent)).update(body).digest('base64url').slice(0, 22)}"`;
  return { ...sent, ...(keptFor !== undefined && { keptFor }), body, etag, encoded: new Map() };
}
