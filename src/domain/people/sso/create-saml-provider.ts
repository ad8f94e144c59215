import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { conflict } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { organizationFor, permissions } from '../access/index.ts';
import { rejectForeignTeam, type SamlProviderRow } from './access.ts';
import { label, MAX_PROVIDERS, providerSettings, stored } from './settings.ts';

const needed = permissions.createSamlProvider.organization;

export const createSamlProvider = command({
  name: 'createSamlProvider',
  scope: 'admin',
  description: `Creates a SAML provider: an identity provider that members of an organization can sign in with (SAML 2.0). It is active once \`ssoUrl\`, \`entityId\` and \`certificate\` are set. An organization can have up to ${MAX_PROVIDERS}.`,
  input: z.object({ organizationId: idOf('org'), label, ...providerSettings }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, ...given }): Promise<SamlProviderRow> {
    await organizationFor(ctx, organizationId, needed, 'for no key update');
    await rejectForeignTeam(ctx, organizationId, given.defaultTeamId);
    await rejectTooMany(ctx, organizationId);
    const [id, now] = [newId('saml'), nowOf(ctx)];
    const provider = await ctx.db
      .insertInto('saml_provider')
      .values({ id, organizationId, ...stored(given), createdAt: now, updatedAt: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordEvent(ctx, { kind: 'saml_provider_created', organizationId, ids: { samlProviderId: id } });
    return provider;
  },
});

async function rejectTooMany({ db }: Context, organizationId: string): Promise<void> {
  const { count } = await db
    .selectFrom('saml_provider')
    .where('organizationId', '=', organizationId)
    .select((provider) => provider.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= MAX_PROVIDERS) {
    throw conflict(`This organization already has ${MAX_PROVIDERS} SAML providers. Delete one first.`);
  }
}
