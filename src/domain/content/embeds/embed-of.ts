import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '../../../lib/durations.ts';
import { isPublicCaller } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { OutboundError } from '../../../platform/outbound/outbound-error.ts';
import { SharedWork } from '../../../platform/reads/shared-work.ts';
import { webAddress } from '../../../platform/shapes/web-address.ts';
import { providerEndpoint } from './providers.ts';
import { type Embed, unfurl } from './unfurl.ts';

export const embeddable = webAddress().describe('Absolute URL with `http` or `https` on the public internet.');

/** Responses are cached for an hour. */
const FRESH_MS = HOUR_MS;
const CACHED_RESPONSES = 1_000;

/** URLs that a process requests at the same time. Further URLs get a card without a request. */
const MAX_FETCHES = 16;
/** Above this many concurrent fetches, public callers get a plain card. The remaining slots are for members. */
const MAX_FETCHES_BY_PUBLIC = 4;

interface Cache {
  remembered: LRUCache<string, { embed: Embed; at: number }>;
  fetches: SharedWork<Embed>;
}

/** By service: services of one process can differ in the addresses that they may request. */
const caches = new WeakMap<Context['services'], Cache>();

function cacheOf({ services }: Context): Cache {
  const existing = caches.get(services);
  if (existing) return existing;
  const cache: Cache = { remembered: new LRUCache({ max: CACHED_RESPONSES }), fetches: new SharedWork() };
  caches.set(services, cache);
  return cache;
}

/**
 * The embed for a URL. Each URL is requested once an hour, and concurrent calls share one request. For public callers,
 * such as visitors of a public site, only the services in `PROVIDERS` are requested, so that they cannot choose where
 * requests go. For other URLs, they get a cached embed or a card that is made from the URL.
 */
export async function embedOf(ctx: Context, address: string): Promise<Embed> {
  const url = new URL(address);
  const { remembered, fetches } = cacheOf(ctx);
  const cached = remembered.get(url.href);
  const now = ctx.services.clock().getTime();
  if (cached && Math.abs(now - cached.at) < FRESH_MS) return cached.embed;
  const isPublic = isPublicCaller(ctx.actor);
  const isElsewhere = isPublic && providerEndpoint(url) === undefined;
  const isFull = fetches.size >= (isPublic ? MAX_FETCHES_BY_PUBLIC : MAX_FETCHES) && !fetches.has(url.href);
  if (isElsewhere || isFull) return { type: 'link', title: url.host, site: url.hostname };
  try {
    return await ask(ctx, url, now);
  } catch (error) {
    throw error instanceof OutboundError ? badInput(['url'], error.message) : error;
  }
}

function ask(ctx: Context, url: URL, at: number): Promise<Embed> {
  const { remembered, fetches } = cacheOf(ctx);
  return fetches.join(ctx, url.href, async (sharedCtx) => {
    const embed = await unfurl(sharedCtx, url);
    sharedCtx.deadline?.signal.throwIfAborted(); // without a response, it was made only from the URL
    remembered.set(url.href, { embed, at });
    return embed;
  });
}
