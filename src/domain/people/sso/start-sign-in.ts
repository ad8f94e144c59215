import { randomBytes } from 'node:crypto';
import { hashSession, makeSessionSecret } from '../../../platform/access/authenticate.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import type { SamlProviderRow } from './access.ts';
import type { ActiveSettings } from './certificates.ts';
import { serviceProvider } from './service-provider.ts';
import { isActive } from './settings.ts';

/** Time for a sign-in at the identity provider. */
const SIGN_IN_SECONDS = 600;

/** The page that a sign-in ends on by default. */
const ACCOUNT_PATH = '/account';
const MAX_PATH = 2_048;

/** A sign-in that was started. */
export interface StartedSignIn {
  /** URL of the identity provider with the AuthnRequest. */
  redirectTo: string;
  /** Value of the cookie that the same browser must have at the end. */
  browserSecret: string;
}

/** The active provider. NOT_FOUND if there is none, for everyone. */
export async function activeProvider(ctx: Context, samlProviderId: string): Promise<SamlProviderRow & ActiveSettings> {
  const found = await ctx.db
    .selectFrom('saml_provider')
    .where('id', '=', samlProviderId)
    .selectAll()
    .executeTakeFirst();
  if (!found || !isActive(found)) throw notFound('SAML provider', samlProviderId);
  return found;
}

/**
 * Starts a sign-in with an active provider: records an AuthnRequest, which one response can answer within ten minutes.
 * `returnTo` is the path of this service to open afterwards. Anything but a path is replaced by the account page.
 */
export async function startSignIn(
  ctx: Context,
  {
    samlProviderId,
    returnTo,
    browserSecret = makeSessionSecret(),
  }: { samlProviderId: string; returnTo: string | undefined; browserSecret?: string | undefined },
): Promise<StartedSignIn> {
  const provider = await activeProvider(ctx, samlProviderId);
  const { publicUrl } = ctx.services.config;
  const id = `_${randomBytes(20).toString('hex')}`;
  const createdAt = nowOf(ctx);
  await ctx.db
    .insertInto('saml_request')
    .values({
      id,
      organizationId: provider.organizationId,
      samlProviderId,
      browserHash: hashSession(browserSecret),
      returnTo: localPath(returnTo, publicUrl),
      createdAt,
      expiresAt: new Date(Date.parse(createdAt) + SIGN_IN_SECONDS * 1_000).toISOString(),
    })
    .execute();
  const saml = await serviceProvider(publicUrl, { ...provider, samlProviderId, requestId: id });
  const redirectTo = await saml.getAuthorizeUrlAsync('', undefined, {});
  return { redirectTo, browserSecret };
}

/** A path of this service, as a browser would resolve it. The account page instead of anything that leads elsewhere. */
export function localPath(given: string | undefined, publicUrl: string): string {
  if (given === undefined || given.length > MAX_PATH || !/^\/[!-~]*$/.test(given)) return ACCOUNT_PATH;
  if (!URL.canParse(given, publicUrl)) return ACCOUNT_PATH;
  const { origin, pathname, search, hash } = new URL(given, publicUrl);
  const path = `${pathname}${search}${hash}`;
  // Dots can leave a path that begins with two slashes, which would name a host.
  return origin === new URL(publicUrl).origin && !path.startsWith('//') ? path : ACCOUNT_PATH;
}
