import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { conflict, orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { administers, holdAccess } from '../access/index.ts';
import { providerFor, providerForChange, rejectLockOut, type SamlProviderRow } from './access.ts';

export const deleteSamlProvider = command({
  name: 'deleteSamlProvider',
  scope: 'admin',
  description:
    'Deletes a SAML provider. Sessions and access tokens that were made with it end within five seconds. Members stay, as guests if the provider gave their role, and leave teams that it added them to. If they later sign in with another provider, they are asked to prove their account, or get a new one. CONFLICT if the organization requires SSO and has no other active provider, or if no admin would be left.',
  input: z.object({
    samlProviderId: idOf('saml'),
    organizationId: idOf('org').nullish().describe('ID of the `Organization` of the provider. Optional.'),
  }),
  versioned: 'samlProviderId',
  authorize: async (ctx, { samlProviderId = '', organizationId }) => {
    if (organizationId) await administers(ctx, organizationId);
    await orNull(providerFor(ctx, { samlProviderId }));
  },
  async run(ctx, input) {
    if (input.organizationId != null) await administers(ctx, input.organizationId);
    const found = await orNull(providerFor(ctx, input));
    if (found) await holdAccess(ctx, found.organizationId);
    const provider = await orNull(providerForChange(ctx, input));
    if (!provider) return { deletedId: null, organizationId: null };
    const { id, organizationId } = provider;
    await rejectLockOut(ctx, provider);
    await endGiven(ctx, provider);
    await ctx.db.deleteFrom('saml_request').where('samlProviderId', '=', id).execute();
    await ctx.db.deleteFrom('saml_provider').where('id', '=', id).execute();
    await recordEvent(ctx, { kind: 'saml_provider_deleted', organizationId, ids: { samlProviderId: id } });
    return { deletedId: id, organizationId };
  },
});

/** Ends what a provider gave. A role without a giver counts for no caller. */
async function endGiven({ db }: Context, { id, organizationId }: SamlProviderRow): Promise<void> {
  const admin = await db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'admin')
    .where('isDisabled', '=', sql.lit(false))
    .where(sql<boolean>`role_provider_id is distinct from ${id}`)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  if (!admin) throw conflict('All admins have their role from this SAML provider. Set the role of one of them first.');
  await db
    .updateTable('membership')
    .set({ role: null, roleProviderId: null })
    .where('organizationId', '=', organizationId)
    .where('roleProviderId', '=', id)
    .execute();
  await db
    .deleteFrom('team_member')
    .where('organizationId', '=', organizationId)
    .where('samlProviderId', '=', id)
    .execute();
  await db.deleteFrom('sso_identity').where('samlProviderId', '=', id).execute();
}
