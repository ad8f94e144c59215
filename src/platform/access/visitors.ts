import type { Context } from '../context/context.ts';
import type { Services } from '../context/services.ts';
import { type Actor, type Visit, visitsOf, withVisits } from './actor.ts';

/** How published sites admit visitors. The module of audiences registers it. */
export interface VisitorSource {
  /**
   * The visitor that a site token was issued to. Without visits if the site no longer admits the visitor, so that
   * nothing is shown. Undefined if the token is not valid or has expired.
   */
  byToken(services: Services, token: string): Promise<Actor | undefined>;
  /** Visits of the sites that the share keys lead to. Keys that admit no visitor are skipped. */
  byShareKeys(services: Services, keys: readonly string[]): Promise<Visit[]>;
}

let source: VisitorSource | undefined;

export function registerVisitors(visitorSource: VisitorSource): void {
  source = visitorSource;
}

/** A JWT in its compact form (RFC 7519, section 3). Personal tokens contain no dots. */
const JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

export const isSiteToken = (token: string) => JWT.test(token);

export const visitorByToken = async (services: Services, token: string) => source?.byToken(services, token);

/** Maximum number of share keys in one request. */
const MAX_KEYS = 10;

/**
 * The context of a request with the share keys that it presents: its caller can read what the sites of these keys show,
 * in addition. A key of a site that the caller visits already does not change what the site shows to the caller.
 * Without keys, the context itself.
 */
export async function withShareKeys(ctx: Context, keys: readonly unknown[]): Promise<Context> {
  const presented = [...new Set(keys)].filter((key) => typeof key === 'string').slice(0, MAX_KEYS);
  if (presented.length === 0 || !source) return ctx;
  const keyed = await source.byShareKeys(ctx.services, presented);
  const visits = keyed.map((visit) => withOwnClaims(ctx.actor, visit));
  return visits.length === 0 ? ctx : { ...ctx, actor: withVisits(ctx.actor, visits) };
}

/**
 * A visit by a share key with the claims of the caller's own visit, since one without claims can show what the claims
 * hide.
 */
function withOwnClaims(actor: Actor, visit: Visit): Visit {
  const own = visitsOf(actor).find(({ siteId }) => siteId === visit.siteId);
  return own && visit.shareKey !== undefined ? { ...own, shareKey: visit.shareKey } : visit;
}
