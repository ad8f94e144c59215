import type { SAML } from '@node-saml/node-saml';
import { type ActiveSettings, certificatesIn } from './certificates.ts';
import { startUrlOf } from './start-url.ts';

/** Clocks of an identity provider and this service may differ by this much. */
export const CLOCK_SKEW_MS = 30_000;
/** An assertion is accepted for this long after it was issued, even if it says that it is valid longer. */
const MAX_ASSERTION_AGE_MS = 600_000;

/** The endpoints of this service for a SAML provider. The entity ID is the URL of the metadata. */
export function serviceOf(publicUrl: string, samlProviderId: string) {
  const base = `${publicUrl}/sso/saml/${samlProviderId}`;
  return { acsUrl: `${base}/acs`, startUrl: startUrlOf(publicUrl, samlProviderId), entityId: `${base}/metadata` };
}

/** An active provider, and the ID of an AuthnRequest to it. */
export interface ServiceSettings extends ActiveSettings {
  samlProviderId: string;
  requestId: string;
}

/** Loaded for the first sign-in: it takes megabytes, with its parsers of XML. */
const library = () => import('@node-saml/node-saml');

/** The service provider of SAML for one AuthnRequest. */
export async function serviceProvider(
  publicUrl: string,
  { samlProviderId, requestId, ssoUrl, certificate }: ServiceSettings,
): Promise<SAML> {
  const { acsUrl, entityId } = serviceOf(publicUrl, samlProviderId);
  const { SAML } = await library();
  return new SAML({
    callbackUrl: acsUrl,
    issuer: entityId,
    audience: entityId,
    entryPoint: ssoUrl,
    idpCert: certificatesIn(certificate).map(String),
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    maxAssertionAgeMs: MAX_ASSERTION_AGE_MS,
    generateUniqueId: () => requestId,
  });
}

/** The metadata of this service for a SAML provider, which needs not be active yet (SAML 2.0 Metadata, 2.4.4). */
export async function metadataOf(publicUrl: string, samlProviderId: string): Promise<string> {
  const { acsUrl, entityId } = serviceOf(publicUrl, samlProviderId);
  const { SAML } = await library();
  // The certificate of the identity provider is not part of it.
  const saml = new SAML({ callbackUrl: acsUrl, issuer: entityId, idpCert: 'none', wantAssertionsSigned: true });
  return saml.generateServiceProviderMetadata(null, null);
}
