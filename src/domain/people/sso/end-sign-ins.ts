import type { Context } from '../../../platform/context/context.ts';
import { endGrantsOfProvider } from '../oauth/index.ts';
import { endSessionsOfProvider } from '../sessions/index.ts';
import type { ProviderRow } from './access.ts';

/**
 * Ends the pending sign-ins with a provider, and then its sessions and the access of applications that were connected
 * in them. They belong to the identity provider that it was connected to.
 */
export async function endSignIns(ctx: Context, provider: Pick<ProviderRow, 'id' | 'organizationId'>): Promise<void> {
  await endPendingSignIns(ctx, provider);
  await endSessionsOfProvider(ctx, provider.id);
  await endGrantsOfProvider(ctx, provider);
}

/** Ends only the pending sign-ins with a provider. */
export async function endPendingSignIns({ db }: Context, { id }: Pick<ProviderRow, 'id'>): Promise<void> {
  await db.deleteFrom('saml_request').where('samlProviderId', '=', id).execute();
}
