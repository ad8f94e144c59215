import { startUrlOf } from '../start-url.ts';

/** Where browsers come back to, and where the provider tells that sessions have ended, under the path of a provider. */
export const OIDC = '/sso/oidc/:oidcProviderId';

/**
 * The endpoints of this service for an OIDC provider. Each provider has its own, so that none can answer for another.
 */
export function oidcServiceOf(publicUrl: string, oidcProviderId: string) {
  const base = `${publicUrl}/sso/oidc/${oidcProviderId}`;
  return {
    redirectUrl: `${base}/callback`,
    startUrl: startUrlOf(publicUrl, oidcProviderId),
    backchannelLogoutUrl: `${base}/backchannel-logout`,
  };
}
