import { createHash } from 'node:crypto';
import type { Context } from '../../../platform/context/context.ts';
import { admitVisitor, asVisitor, signInUrl, type VisitorAdmission, visitorOfRequest } from '../audiences/index.ts';
import type { FoundSite } from './find-site.ts';

/** What a request to a site says about its visitor. */
export interface Visitor {
  /** Path and query string of the request. */
  url: string;
  authorization: string | undefined;
  cookie: string | undefined;
  /** The path below the site, as it is written. */
  path: string;
  /** Its decoded segments. */
  segments: readonly string[];
}

/** A visitor whom the site admits. */
export interface ReaderAdmission {
  /** The context to read with: it shows what the audience may see. */
  ctx: Context;
  /** Identifies the visible content among all audiences of the site. */
  audience: string;
  /** Whether all visitors without claims see the same content. */
  isOpen: boolean;
  /** The key of a share link, which the path of all pages begins with. */
  shareKey: string | undefined;
  /** A valid token that came in the query, to be kept in a cookie. */
  arrival: { token: string; expiresAt: number | undefined } | undefined;
}

/**
 * Decides on every request whether a site is shown to its visitor. A URL is where visitors sign in. Undefined if the
 * site is not shown, which is answered like a site that does not exist.
 */
export async function admission(
  ctx: Context,
  site: FoundSite,
  visitor: Visitor,
): Promise<ReaderAdmission | URL | undefined> {
  const { jwtToken, tokenFrom, unsignedClaims } = visitorOfRequest(visitor);
  const shareKey = site.visibility === 'share-link' ? (visitor.segments[0] ?? '') : undefined;
  const decided = await admitVisitor(ctx, site.id, { jwtToken, unsignedClaims, shareKey }, site.accessVersion);
  if (!('visit' in decided)) return signInUrl(decided.fallbackUrl, visitor.path);
  const isArriving = tokenFrom === 'query' && jwtToken !== undefined && decided.proofs.keyId !== undefined;
  return {
    ctx: asVisitor(ctx, decided),
    audience: audienceOf(decided),
    isOpen: isOpenTo(site, decided),
    shareKey,
    arrival: isArriving ? { token: jwtToken, expiresAt: decided.expiresAt } : undefined,
  };
}

function audienceOf({ visit: { claims, hiddenIds, shareKey } }: VisitorAdmission): string {
  const seen = JSON.stringify([claims, [...hiddenIds].sort(), shareKey ?? null]);
  return createHash('sha256').update(seen).digest('base64url');
}

function isOpenTo({ visibility }: FoundSite, { visit: { claims } }: VisitorAdmission): boolean {
  const { unsigned = {}, ...signed } = claims;
  const hasClaims = Object.keys(signed).length > 0 || Object.keys(unsigned as object).length > 0;
  return (visibility === 'public' || visibility === 'unlisted') && !hasClaims;
}
