import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { organizationFor, permissions } from '../access/index.ts';
import { type ProviderRow, rejectAtProviderLimit, rejectForeignTeam } from './access.ts';
import { label, MAX_PROVIDERS, normalizeSettings, providerSettings } from './settings.ts';

const needed = permissions.createSamlProvider.organization;

export const createSamlProvider = command({
  name: 'createSamlProvider',
  scope: 'admin',
  description: `Creates a SAML provider: an identity provider that members of an organization can sign in with (SAML 2.0). It is active once \`ssoUrl\`, \`entityId\` and \`certificate\` are set. An organization can have up to ${MAX_PROVIDERS}.`,
  input: z.object({ organizationId: idOf('org'), label, ...providerSettings }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, ...settings }): Promise<ProviderRow> {
    await organizationFor(ctx, organizationId, needed, 'for no key update');
    await rejectForeignTeam(ctx, organizationId, settings.defaultTeamId);
    await rejectAtProviderLimit(ctx, organizationId, 'saml');
    const [id, now] = [newId('saml'), nowOf(ctx)];
    const provider = await ctx.db
      .insertInto('saml_provider')
      .values({ id, organizationId, protocol: 'saml', ...normalizeSettings(settings), createdAt: now, updatedAt: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordEvent(ctx, { kind: 'saml_provider_created', organizationId, ids: { samlProviderId: id } });
    return provider;
  },
});
