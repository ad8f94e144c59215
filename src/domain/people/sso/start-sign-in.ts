import { randomBytes } from 'node:crypto';
import { hashSession, makeSessionSecret } from '../../../platform/access/credentials.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { isId } from '../../../platform/ids/ids.ts';
import type { ProviderRow } from './access.ts';
import type { ActiveSettings } from './certificates.ts';
import { isActive, isActiveSaml } from './is-active.ts';
import { serviceProvider } from './service-provider.ts';

/** Time for a sign-in at the identity provider. */
export const SIGN_IN_SECONDS = 600;

/** The page that a sign-in ends on by default. */
const ACCOUNT_PATH = '/account';
const MAX_PATH = 2_048;

/** How a browser starts a sign-in. */
export interface SignInStart {
  providerId: string;
  returnTo: string | undefined;
  /** Of the cookie, if the browser has it. */
  browserSecret?: string | undefined;
}

/** A sign-in that was started. */
export interface StartedSignIn {
  /** URL of the identity provider with the request. */
  redirectTo: string;
  /** Value of the cookie that the same browser must have at the end. */
  browserSecret: string;
}

/** The active provider of a sign-in, of either protocol. NOT_FOUND if there is none, for everyone. */
export async function activeProvider(ctx: Context, id: string): Promise<ProviderRow> {
  if (!isId('saml', id) && !isId('oidc', id)) throw notFound('active identity provider', id);
  const provider = await ctx.db.selectFrom('saml_provider').where('id', '=', id).selectAll().executeTakeFirst();
  if (!provider || !isActive(provider)) throw notFound('active identity provider', id);
  return provider;
}

/** The same for a SAML provider. */
export async function activeSamlProvider(ctx: Context, id: string): Promise<ProviderRow & ActiveSettings> {
  const provider = await activeProvider(ctx, id);
  if (!isActiveSaml(provider)) throw notFound('active identity provider', id);
  return provider;
}

/**
 * Starts a sign-in with an active SAML provider: records an AuthnRequest, which one response can answer within ten
 * minutes. `returnTo` is the path of this service to open afterwards. Anything but a path is replaced by the account
 * page.
 */
export async function startSignIn(
  ctx: Context,
  { providerId, returnTo, browserSecret = makeSessionSecret() }: SignInStart,
): Promise<StartedSignIn> {
  const provider = await activeSamlProvider(ctx, providerId);
  const { publicUrl } = ctx.services.config;
  const id = `_${randomBytes(20).toString('hex')}`;
  await recordRequest(ctx, provider, { id, returnTo, browserSecret });
  const saml = await serviceProvider(publicUrl, { ...provider, samlProviderId: providerId, requestId: id });
  const redirectTo = await saml.getAuthorizeUrlAsync('', undefined, {});
  return { redirectTo, browserSecret };
}

/** Records a request to a provider, which waits for a response in the same browser. */
export async function recordRequest(
  ctx: Context,
  provider: ProviderRow,
  { id, returnTo, browserSecret }: { id: string; returnTo: string | undefined; browserSecret: string },
): Promise<void> {
  const createdAt = nowOf(ctx);
  await ctx.db
    .insertInto('saml_request')
    .values({
      id,
      organizationId: provider.organizationId,
      samlProviderId: provider.id,
      browserHash: hashSession(browserSecret),
      returnTo: localPath(returnTo, ctx.services.config.publicUrl),
      createdAt,
      expiresAt: new Date(Date.parse(createdAt) + SIGN_IN_SECONDS * 1_000).toISOString(),
    })
    .execute();
}

/** A path of this service, as a browser would resolve it. The account page instead of anything that leads elsewhere. */
export function localPath(target: string | undefined, publicUrl: string): string {
  if (target === undefined || target.length > MAX_PATH || !/^\/[!-~]*$/.test(target)) return ACCOUNT_PATH;
  if (!URL.canParse(target, publicUrl)) return ACCOUNT_PATH;
  const { origin, pathname, search, hash } = new URL(target, publicUrl);
  const path = `${pathname}${search}${hash}`;
  // Dots can leave a path that begins with two slashes, which would name a host.
  return origin === new URL(publicUrl).origin && !path.startsWith('//') ? path : ACCOUNT_PATH;
}
