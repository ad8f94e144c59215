import { LRUCache } from 'lru-cache';
import { isPublicCaller } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { OutboundError } from '../../../platform/outbound/outbound-error.ts';
import { SharedWork } from '../../../platform/reads/shared-work.ts';
import { providerEndpoint } from './providers.ts';
import { type Embed, unfurl } from './unfurl.ts';

/** Responses are cached for an hour. */
const FRESH_MS = 3_600_000;
const REMEMBERED = 1_000;

/** URLs that a process requests at the same time. Further URLs get a card without a request. */
const MAX_ASKED = 16;
/** Above this many concurrent fetches, public callers get a plain card. The remaining slots are for members. */
const MAX_ASKED_BY_PUBLIC = 4;

interface Cache {
  remembered: LRUCache<string, { embed: Embed; at: number }>;
  asked: SharedWork<Embed>;
}

/** By service: services of one process can differ in the addresses that they may request. */
const caches = new WeakMap<Context['services'], Cache>();

function cacheOf({ services }: Context): Cache {
  const known = caches.get(services);
  if (known) return known;
  const cache: Cache = { remembered: new LRUCache({ max: REMEMBERED }), asked: new SharedWork() };
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
  const { remembered, asked } = cacheOf(ctx);
  const known = remembered.get(url.href);
  const now = ctx.services.clock().getTime();
  if (known && Math.abs(now - known.at) < FRESH_MS) return known.embed;
  const isPublic = isPublicCaller(ctx.actor);
  const isElsewhere = isPublic && providerEndpoint(url) === undefined;
  const isFull = asked.size >= (isPublic ? MAX_ASKED_BY_PUBLIC : MAX_ASKED) && !asked.has(url.href);
  if (isElsewhere || isFull) return { type: 'link', title: url.host, site: url.hostname };
  try {
    return await ask(ctx, url, now);
  } catch (error) {
    throw error instanceof OutboundError ? badInput(['url'], error.message) : error;
  }
}

function ask(ctx: Context, url: URL, at: number): Promise<Embed> {
  const { remembered, asked } = cacheOf(ctx);
  return asked.join(ctx, url.href, async (own) => {
    const embed = await unfurl(own, url);
    own.work?.cancellation.throwIfCancelled(); // without a response, it was made only from the URL
    remembered.set(url.href, { embed, at });
    return embed;
  });
}
