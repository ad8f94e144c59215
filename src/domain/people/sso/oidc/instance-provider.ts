import type { Services } from '../../../../platform/context/services.ts';
import { notFound } from '../../../../platform/errors/errors.ts';
import type { ClientSettings } from './relying-party.ts';

/** Where browsers start and end a sign-in with the provider of the whole service. */
export const INSTANCE = '/sso/instance';

/** Stands for the provider of the whole service where the id of a provider is stored. */
export const INSTANCE_ID = 'instance';

/** The endpoints of this service for that provider. */
export const instanceServiceOf = (publicUrl: string) => ({ redirectUrl: `${publicUrl}${INSTANCE}/callback` });

/** The provider of the whole service, which an operator has set (`OIDC_ISSUER`). NOT_FOUND without one. */
export function instanceProvider({ config }: Services): ClientSettings {
  if (!config.oidc) throw notFound('identity provider', INSTANCE_ID);
  return config.oidc;
}
