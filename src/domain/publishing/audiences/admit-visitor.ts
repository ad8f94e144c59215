import { toLocalPath } from '../../../lib/local-path.ts';
import type { Visit } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Services } from '../../../platform/context/services.ts';
import { audienceOf, type Proofs, type Refusal, visitorRefusal } from './audience.ts';
import { claimsOf, type VisitorClaims } from './claims.ts';
import { hashShareKey } from './share-key.ts';
import { visitOf } from './visit.ts';
import { verifyVisitorToken } from './visitor-token.ts';

/** Credentials that a visitor presents to a site. None of them is trusted. */
export interface VisitorCredentials {
  /** The secret key of a share link. */
  shareKey?: string | undefined;
  /** A JWT that the owner of the site has signed. */
  jwtToken?: string | undefined;
  /** Unsigned claims: a JSON object. Other values, and objects larger than 2 kB, are ignored. */
  unsignedClaims?: unknown;
}

/** The visitor of a site. */
export interface VisitorAdmission {
  visit: Visit;
  /** Proof that admitted the visitor. `siteTokenFor` binds its tokens to it. */
  proofs: Proofs;
  /**
   * Time until which the visitor's own token is accepted, in seconds since 1970. Undefined without one, or if it does
   * not expire.
   */
  expiresAt: number | undefined;
}

/** Reason why a visitor is not admitted. */
export interface Rejection {
  /**
   * `unpublished`: the site is not published or does not exist. `share-link`: the site needs a share key, and this is
   * none of its active ones. `visitor-auth`: the site needs a token, and this is not a valid one.
   */
  reason: Refusal;
  /** With `visitor-auth`, where visitors sign in. Undefined if the site does not say. */
  fallbackUrl?: string | undefined;
  /** Fault of the token, as a text for the visitor. */
  fault?: string | undefined;
}

/**
 * Decides whether a site admits a visitor, and which parts of it the visitor sees. The decision is as of now; nothing
 * is cached that a change of the site would not undo. To act for the visitor, read with `asVisitor(ctx, admission)`:
 * spaces, sections and pages that the audience or their conditions exclude then answer like absent ones, on all
 * operations.
 *
 * A share key of another site, or an inactive one, is a rejection with `share-link` even if the site is public. An
 * invalid token is a rejection only if the site requires one; otherwise its claims are ignored. Takes a statement, and
 * one more with each credential. With the version of the organization's access that the request has read just before,
 * it takes the first one only after access has changed.
 */
export async function admitVisitor(
  ctx: Pick<Context, 'services'>,
  siteId: string,
  { shareKey, jwtToken, unsignedClaims }: VisitorCredentials,
  accessVersion?: string,
): Promise<VisitorAdmission | Rejection> {
  const { services } = ctx;
  const audience = await audienceOf(services, siteId, accessVersion);
  if (!audience?.isPublished) return { reason: 'unpublished' };
  const link = shareKey === undefined ? undefined : await linkByKey(services, shareKey);
  if (shareKey !== undefined && link?.siteId !== siteId) return { reason: 'share-link' };
  const token = jwtToken === undefined ? undefined : await verifyVisitorToken(services, siteId, jwtToken);
  const isValid = token !== undefined && !('fault' in token);
  const proofs: Proofs = { shareLinkId: link?.id, keyId: isValid ? token.keyId : undefined };
  const reason = visitorRefusal(audience, proofs);
  if (reason === 'visitor-auth') {
    const { fallbackUrl } = await signingPages(ctx, siteId);
    return { reason, fallbackUrl, fault: isValid ? undefined : token?.fault };
  }
  if (reason) return { reason };
  const claims: VisitorClaims = claimsOf(isValid ? token.signed : {}, unsignedClaims);
  const visit = await visitOf(audience, claims, shareKey);
  return { visit, proofs, expiresAt: isValid ? token.expiresAt : undefined };
}

/** The context of a visitor for the rest of a request. It has loaders of its own. */
export const asVisitor = (ctx: Context, { visit }: Pick<VisitorAdmission, 'visit'>): Context => ({
  ...ctx,
  actor: { kind: 'visitor', visits: [visit] },
});

/**
 * URL of the page where visitors sign in, with the path of the requested page as `location`, which never leads to another
 * host. Undefined without such a page.
 */
export function signInUrl(fallbackUrl: string | undefined, path: string): URL | undefined {
  const url = fallbackUrl === undefined ? null : URL.parse(fallbackUrl);
  url?.searchParams.set('location', toLocalPath(path));
  return url ?? undefined;
}

const linkByKey = ({ db }: Services, key: string) =>
  db.selectFrom('share_link').where('keyHash', '=', hashShareKey(key)).select(['id', 'siteId']).executeTakeFirst();

/** The pages of the owner of a site where visitors sign in and out. */
export async function signingPages(
  { services: { db } }: Pick<Context, 'services'>,
  siteId: string,
): Promise<{ fallbackUrl: string | undefined; logoutUrl: string | undefined }> {
  const auth = await db
    .selectFrom('site_auth')
    .where('siteId', '=', siteId)
    .select(['fallbackUrl', 'logoutUrl'])
    .executeTakeFirst();
  return { fallbackUrl: auth?.fallbackUrl ?? undefined, logoutUrl: auth?.logoutUrl ?? undefined };
}
