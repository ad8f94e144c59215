import { X509Certificate } from 'node:crypto';

const MIN_RSA_BITS = 2_048;
const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/**
 * The certificates of a text, in PEM: one or several in PEM, or one in bare base64. Throws if a part is no X.509
 * certificate.
 */
export function certificatesIn(text: string): X509Certificate[] {
  const parts = text.includes(BEGIN) ? text.split(BEGIN).slice(1) : [text];
  return parts.map((part) => new X509Certificate(Buffer.from(part.split(END, 1)[0] ?? '', 'base64')));
}

/** Reason why a text is not a certificate that can verify signatures. */
export function certificateFault(text: string): string | undefined {
  try {
    const isStrong = certificatesIn(text).every(
      ({ publicKey: { asymmetricKeyType, asymmetricKeyDetails } }) =>
        asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS,
    );
    return isStrong ? undefined : 'must have an RSA key of at least 2,048 bits';
  } catch {
    return 'must be an X.509 certificate in PEM or base64, as the metadata of the identity provider contains it';
  }
}

/** A provider that members can sign in with. */
export interface ActiveSettings {
  ssoUrl: string;
  entityId: string;
  certificate: string;
}
