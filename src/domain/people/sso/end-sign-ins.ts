import type { Context } from '../../../platform/context/context.ts';
import { endSessionsOfProvider } from '../sessions/index.ts';

/**
 * Ends the sign-ins with a provider that are under way and then its sessions: they are of the identity provider that it was connected
 * to.
 */
export async function endSignIns(ctx: Context, providerId: string): Promise<void> {
  await ctx.db.deleteFrom('saml_request').where('samlProviderId', '=', providerId).execute();
  await endSessionsOfProvider(ctx, providerId);
}
