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
}

/** A kept answer, with its entity tag. Its forms in the codings of HTTP are kept with it. */
export interface KeptAnswer extends Omit<SiteAnswer, 'body'> {
  body: Buffer;
  etag: string;
  encoded: Map<string, Promise<Buffer>>;
}

const MAX_BYTES = 96_000_000;
/** An answer with its compressed forms. */
const FORMS = 1.5;
const OVERHEAD = 2_000;

const kept = new LRUCache<string, KeptAnswer>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ body }) => Math.ceil(body.length * FORMS) + OVERHEAD,
});
const underWay = new Map<string, Promise<KeptAnswer>>();

/**
 * The answer for a key, which must contain everything that the answer depends on, and the audience. Callers have checked
 * that the visitor may see it. Concurrent requests share the work; where that fails for one, the others do it themselves.
 * Answers for paths that anybody can make up are not kept: errors, and those that must not be stored or used again.
 */
export async function keptAnswer(key: string, make: () => Promise<SiteAnswer>): Promise<KeptAnswer> {
  const known = kept.get(key);
  if (known) return known;
  const running = underWay.get(key);
  if (running) return running.catch(async () => toKeep(await make()));
  const making = make().then(toKeep);
  underWay.set(key, making);
  try {
    const made = await making;
    if (isKept(made)) kept.set(key, made);
    return made;
  } finally {
    underWay.delete(key);
  }
}

const isKept = ({ status, headers }: KeptAnswer) =>
  status === 200 && !/no-store|no-cache/.test(headers['cache-control'] ?? '');

export function toKeep({ body: text, ...answer }: SiteAnswer): KeptAnswer {
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  const etag = `"${createHash('sha256').update(JSON.stringify(answer)).update(body).digest('base64url').slice(0, 22)}"`;
  return { ...answer, body, etag, encoded: new Map() };
}
