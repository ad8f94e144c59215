import { sql } from 'kysely';
import { z } from 'zod';
import { nowOf } from '../../../../platform/context/context.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { newId } from '../../../../platform/ids/ids.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { organizationFor, permissions } from '../../access/index.ts';
import { type ProviderRow, rejectAtProviderLimit, rejectForeignTeam } from '../access.ts';
import { label, MAX_PROVIDERS } from '../settings.ts';
import { clientSecret } from './client-secret.ts';
import { oidcSettings, rejectForeignTeams, rejectPlainHttp } from './settings.ts';

const needed = permissions.createOidcProvider.organization;

export const createOidcProvider = command({
  name: 'createOidcProvider',
  scope: 'admin',
  description: `Creates an OIDC provider: an identity provider that members of an organization can sign in with (OpenID Connect). It is active once \`issuer\`, \`clientId\` and \`clientSecret\` are set. An organization can have up to ${MAX_PROVIDERS}; CONFLICT above that.`,
  input: z.object({ organizationId: idOf('org'), label, ...oidcSettings }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, clientSecret: secret, ...settings }): Promise<ProviderRow> {
    await organizationFor(ctx, organizationId, needed, 'for no key update');
    rejectPlainHttp(ctx, settings.issuer);
    await rejectForeignTeam(ctx, organizationId, settings.defaultTeamId);
    await rejectForeignTeams(ctx, organizationId, settings.groupTeams);
    await rejectAtProviderLimit(ctx, organizationId, 'oidc');
    const [id, now] = [newId('oidc'), nowOf(ctx)];
    const provider = await ctx.db
      .insertInto('saml_provider')
      .values({
        id,
        organizationId,
        protocol: 'oidc',
        ...settings,
        createdAt: now,
        updatedAt: now,
        groupTeams: sql`${settings.groupTeams == null ? null : JSON.stringify(settings.groupTeams)}::json`,
        clientSecret: secret == null ? null : clientSecret.encrypt(ctx.services, { id }, secret),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordEvent(ctx, { kind: 'oidc_provider_created', organizationId, ids: { oidcProviderId: id } });
    return provider;
  },
});
