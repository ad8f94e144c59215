import { isIP } from 'node:net';
import type { Services } from '../../../platform/context/services.ts';
import { ApiError } from '../../../platform/errors/errors.ts';

/** What passkeys of this service belong to (WebAuthn, "relying party"). */
export interface PasskeyRelyingParty {
  /** The host of `PUBLIC_URL`. Authenticators use a passkey only there. */
  id: string;
  /** Where browsers must have signed. */
  origin: string;
}

type Address = Pick<Services['config'], 'publicUrl'>;

/** The relying party, or why browsers have no passkeys at the address of the service. */
export function passkeyRelyingParty({ publicUrl }: Address): PasskeyRelyingParty | { reason: string } {
  const { hostname, origin, protocol } = new URL(publicUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')))
    return { reason: `Passkeys need a host name, and this service has the IP address ${hostname}.` };
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (protocol !== 'https:' && !isLocal) return { reason: `Passkeys need https, and this service is at ${publicUrl}.` };
  return { id: hostname, origin };
}

/** The relying party. CONFLICT with the reason where there are no passkeys. */
export function requireRelyingParty(config: Address): PasskeyRelyingParty {
  const party = passkeyRelyingParty(config);
  if ('reason' in party) throw new ApiError('CONFLICT', party.reason);
  return party;
}

/** The library that verifies what authenticators sign. It is loaded with the first passkey. */
export const webAuthn = () => import('@simplewebauthn/server');

/** Ed25519, ES256 and RS256. Every authenticator has one of them. */
export const ALGORITHMS = [-8, -7, -257];
