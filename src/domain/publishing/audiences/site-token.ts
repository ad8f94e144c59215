import { SignJWT } from 'jose';
import { z } from 'zod';
import type { Actor } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Services } from '../../../platform/context/services.ts';
import type { VisitorAdmission } from './admit-visitor.ts';
import { audienceOf, visitorRefusal } from './audience.ts';
import type { VisitorClaims } from './claims.ts';
import { previewer, previewVisit } from './preview.ts';
import { ALGORITHM, keyOfTokens, verifiedToken } from './token-key.ts';
import { visitOf } from './visit.ts';

const AUDIENCE = 'site';
const HOUR_SECONDS = 3_600;
const LIFETIME_SECONDS = 24 * HOUR_SECONDS;

/**
 * A bearer token of this API with which a renderer reads a site for the visitor of an admission. It is a JWT that
 * expires after 24 hours, or with the visitor's own token or the preview if that is earlier. The same admission has the
 * same token for up to an hour, unless `version` differs, which names the state of the content (any text up to 200
 * characters). It ends when the site is unpublished, and when the share link or key that admitted the visitor is
 * revoked or replaced.
 */
export function siteTokenFor(
  ctx: Pick<Context, 'services'>,
  { visit, proofs, expiresAt }: VisitorAdmission,
  version: string,
): Promise<string> {
  const { services } = ctx;
  const now = Math.floor(services.clock().getTime() / 1_000);
  const issuedAt = now - (now % HOUR_SECONDS);
  const { organizationId: organization, siteId: site, claims, shareKey } = visit;
  const { shareLinkId: link, keyId: key, preview } = proofs;
  return new SignJWT({ organization, site, link, shareKey, key, preview, claims, version })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(Math.min(issuedAt + LIFETIME_SECONDS, expiresAt ?? Number.POSITIVE_INFINITY))
    .sign(keyOfTokens(services));
}

const payload = z.object({
  site: z.string(),
  link: z.string().optional(),
  /** The key of the link, which URLs for the visitor contain. */
  shareKey: z.string().optional(),
  key: z.string().optional(),
  preview: previewer.optional(),
  claims: z.looseObject({ unsigned: z.record(z.string(), z.unknown()) }),
});

/** See `VisitorSource.byToken`. */
export async function visitorOfSiteToken(services: Services, token: string): Promise<Actor | undefined> {
  const verified = await verifiedToken(services, token, AUDIENCE);
  if (!verified) return undefined;
  const { site, link, shareKey, key, preview, claims } = payload.parse(verified);
  if (preview) {
    const visit = await previewVisit(services, site, preview, claims as VisitorClaims); // as parsed
    return { kind: 'visitor', visits: visit ? [visit] : [] };
  }
  const audience = await audienceOf(services, site);
  const isAdmitted = audience && visitorRefusal(audience, { shareLinkId: link, keyId: key }) === undefined;
  return { kind: 'visitor', visits: isAdmitted ? [await visitOf(audience, claims as VisitorClaims, shareKey)] : [] }; // as parsed
}
