import type { Context } from '../../../../platform/context/context.ts';
import { notFound } from '../../../../platform/errors/errors.ts';
import type { ProviderRow } from '../access.ts';
import { type ActiveOidcSettings, isActiveOidc } from '../is-active.ts';
import { SignInError } from '../sign-in-error.ts';
import { activeProvider } from '../start-sign-in.ts';
import { clientSecret } from './client-secret.ts';
import { type OidcRelyingParty, relyingParty } from './relying-party.ts';

export type ActiveOidcProvider = ProviderRow & ActiveOidcSettings;

/** The active OIDC provider. NOT_FOUND if there is none, for everyone. */
export async function activeOidcProvider(ctx: Context, id: string): Promise<ActiveOidcProvider> {
  const provider = await activeProvider(ctx, id);
  if (!isActiveOidc(provider)) throw notFound('active identity provider', id);
  return provider;
}

/** This service as a relying party of a provider. Throws `SignInError` if the provider cannot be reached. */
export function oidcRelyingParty(ctx: Context, provider: ActiveOidcProvider): Promise<OidcRelyingParty> {
  const secret = clientSecret.find(ctx.services, provider, provider.clientSecret);
  if (secret === undefined)
    throw new SignInError('The client secret of the identity provider cannot be read. An admin has to set it again.');
  return relyingParty(ctx, { ...provider, clientSecret: secret });
}
