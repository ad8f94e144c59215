import { prefixOf } from '../../../platform/ids/ids.ts';

/** The URL that starts a sign-in with an identity provider. Its id tells the protocol. */
export const startUrlOf = (publicUrl: string, providerId: string): string =>
  `${publicUrl}/sso/${prefixOf(providerId)}/${providerId}/start`;
