import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../../lib/durations.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Services } from '../../../platform/context/services.ts';

/** Events of a site that this process counts in one minute. Further ones are dropped. */
const EVENTS_PER_MINUTE = 6_000;

const MAX_SITES = 10_000;

const quotas = new WeakMap<Services, LRUCache<string, { minute: number; count: number }>>();

/**
 * Takes events from the quota of a site, so that one site cannot occupy the database. Returns how many may be counted.
 */
export function consumeSiteQuota({ services }: Pick<Context, 'services'>, siteId: string, requested: number): number {
  const bySite = quotas.get(services) ?? new LRUCache<string, { minute: number; count: number }>({ max: MAX_SITES });
  quotas.set(services, bySite);
  const minute = Math.floor(services.clock().getTime() / MINUTE_MS);
  const before = bySite.get(siteId);
  const count = before?.minute === minute ? before.count : 0;
  const granted = Math.min(requested, EVENTS_PER_MINUTE - count);
  bySite.set(siteId, { minute, count: count + granted });
  return granted;
}
