import { z } from 'zod';
import { orNull } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { administers } from '../access/index.ts';
import { providerFor, providerForChange, rejectLockOut } from './access.ts';

export const deleteSamlProvider = command({
  name: 'deleteSamlProvider',
  description:
    'Deletes a SAML provider. Sessions and access tokens that were made with it end within five seconds. Members stay. CONFLICT if the organization requires SSO and has no other active provider.',
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
    const provider = await orNull(providerForChange(ctx, input));
    if (!provider) return { deletedId: null, organizationId: null };
    const { id, organizationId } = provider;
    await rejectLockOut(ctx, provider);
    await ctx.db.deleteFrom('saml_request').where('samlProviderId', '=', id).execute();
    await ctx.db.deleteFrom('saml_provider').where('id', '=', id).execute();
    await recordEvent(ctx, { kind: 'saml_provider_deleted', organizationId, ids: { samlProviderId: id } });
    return { deletedId: id, organizationId };
  },
});
