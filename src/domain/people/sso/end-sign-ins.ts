import type { Context } from '../../../platform/context/context.ts';
import { endGrantsOfProvider } from '../oauth/index.ts';
import { endSessionsOfProvider } from '../sessions/index.ts';
import type { ProviderRow } from './access.ts';

/**
 * Ends the sign-ins with a provider that are under way, and then its sessions and the access of applications that were connected in
 * them: they are of the identity provider that it was connected to.
 */
export async function endSignIns(ctx: Context, provider: Pick<ProviderRow, 'id' | 'organizationId'>): Promise<void> {
  await ctx.db.deleteFrom('saml_request').where('samlProviderId', '=', provider.id).execute();
  await endSessionsOfProvider(ctx, provider.id);
  await endGrantsOfProvider(ctx, provider);
}
