import { SignJWT } from 'jose';
import { z } from 'zod';
import {
  type Actor,
  reachOf,
  rejectLimitedToSpaces,
  requireUserId,
  ssoOf,
  type Visit,
} from '../../../platform/access/actor.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { accessOutsideTransactions } from '../../../platform/context/database-access.ts';
import type { Services } from '../../../platform/context/services.ts';
import { accessLoader, permissions } from '../../people/access/index.ts';
import type { VisitorAdmission } from './admit-visitor.ts';
import { audienceOf, type Previewer } from './audience.ts';
import { claimsOf, type VisitorClaims } from './claims.ts';
import { ALGORITHM, keyOfTokens, verifiedToken } from './token-key.ts';
import { visitOf } from './visit.ts';

const AUDIENCE = 'preview';
const HOUR_SECONDS = 3_600;
const LIFETIME_SECONDS = 2 * HOUR_SECONDS;

export const previewer = z.object({
  userId: z.string(),
  sso: z.object({ organizationId: z.string(), samlProviderId: z.string() }).optional(),
  organizationIds: z.array(z.string()).optional(),
});

const payload = z.object({
  site: z.string(),
  preview: previewer,
  claims: z.looseObject({ unsigned: z.record(z.string(), z.unknown()) }),
  exp: z.number(),
});

/**
 * A token that shows a site to the caller as to a visitor with these claims: a JWT that expires after one to two hours,
 * and is the same within an hour. What it shows is decided with each request by the roles that the caller has then.
 */
export async function previewTokenFor(
  { actor, services }: Pick<Context, 'actor' | 'services'>,
  { id: siteId, organizationId }: { id: string; organizationId: string },
  { unsigned, ...signed }: Readonly<Record<string, unknown>>,
): Promise<string> {
  rejectLimitedToSpaces(actor);
  const now = Math.floor(services.clock().getTime() / 1_000);
  const sso = ssoOf(actor);
  // Everyone with the URL can read the token, so it names no other organization of the user.
  const organizationIds = sso || reachOf(actor) === undefined ? undefined : [organizationId];
  const signedSso = sso && { organizationId: sso.organizationId, samlProviderId: sso.providerId };
  const preview: Previewer = { userId: requireUserId(actor), sso: signedSso, organizationIds };
  return new SignJWT({ site: siteId, preview, claims: claimsOf(signed, unsigned) })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setAudience(AUDIENCE)
    .setExpirationTime(now - (now % HOUR_SECONDS) + LIFETIME_SECONDS)
    .sign(keyOfTokens(services));
}

/**
 * The visit that a token of `previewTokenFor` admits to. Undefined if it is for another site, expired or no longer
 * valid.
 */
export async function admitPreview(
  { services }: Pick<Context, 'services'>,
  siteId: string,
  token: string | undefined,
): Promise<VisitorAdmission | undefined> {
  if (token === undefined) return undefined;
  const verified = await verifiedToken(services, token, AUDIENCE);
  const named = verified && payload.parse(verified);
  if (named?.site !== siteId) return undefined;
  const visit = await previewVisit(services, siteId, named.preview, named.claims as VisitorClaims); // as parsed
  return visit && { visit, proofs: { preview: named.preview }, expiresAt: named.exp };
}

/** The visit of a member who previews a site as a visitor with these claims. Undefined without a role on the site. */
export async function previewVisit(
  services: Services,
  siteId: string,
  { userId, sso, organizationIds }: Previewer,
  claims: VisitorClaims,
): Promise<Visit | undefined> {
  const audience = await audienceOf(services, siteId);
  if (!audience) return undefined;
  const signIn = sso && { organizationId: sso.organizationId, providerId: sso.samlProviderId };
  const limits = { ...(signIn && { sso: signIn }), ...(organizationIds && { organizationIds }) };
  const ctx = contextOf(services, { kind: 'user', userId, isOperator: false, by: 'token', ...limits });
  const access = await accessLoader.site(ctx, siteId);
  if (!atLeast(access?.role, permissions.getSitePreview.site)) return undefined;
  const { spaceIds, ...visit } = await visitOf(audience, claims);
  const roles = await Promise.all(
    [...spaceIds].map(async (id) => [id, (await accessLoader.space(ctx, id))?.role] as const),
  );
  const readable = roles.filter(([, role]) => atLeast(role, 'read')).map(([id]) => id);
  return { ...visit, spaceIds: new Set(readable), isPreview: true };
}

const contextOf = (services: Services, actor: Actor): Context => ({
  actor,
  ...accessOutsideTransactions(services),
  services,
  requestId: 'preview',
  log: services.log,
  inTransaction: false,
});
