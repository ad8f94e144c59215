import { types } from '../../../../platform/resource/field-types.ts';
import { resource } from '../../../../platform/resource/resource.ts';
import { locationUrl } from '../../../../platform/resource/urls.ts';
import type { ProviderRow } from '../access.ts';
import type { GroupTeam } from '../entity.ts';
import { isActiveOidc } from '../is-active.ts';
import { providerFields } from '../provider-fields.ts';
import { clientSecret } from './client-secret.ts';
import { oidcServiceOf } from './oidc-service.ts';
import { oidcProviderStatus } from './settings.ts';

const oidcService = resource<ReturnType<typeof oidcServiceOf>>(
  { name: 'OidcService', description: 'Values to configure at the provider: this service as a relying party.' },
  (f) => ({
    redirectUrl: f.url('Redirect URI: where the provider sends browsers back to.', (row) => row.redirectUrl, {
      rest: 'redirectURL',
    }),
    startUrl: f.url('URL that starts a sign-in, for the list of applications at the provider.', (row) => row.startUrl, {
      rest: 'startURL',
    }),
    backchannelLogoutUrl: f.url(
      'URL that the provider sends logout tokens to (OpenID Connect Back-Channel Logout 1.0).',
      (row) => row.backchannelLogoutUrl,
      { rest: 'backchannelLogoutURL' },
    ),
  }),
);

const oidcProviderUrls = resource<ProviderRow>(
  { name: 'OidcProviderUrls', description: 'API URLs of an OIDC provider.' },
  (f) => ({
    location: f.url('URL of the provider in the REST API.', ({ id, organizationId }, ctx) =>
      locationUrl(ctx, `/v1/orgs/${organizationId}/oidc/${id}`),
    ),
  }),
);

const oidcGroupTeam = resource<GroupTeam>(
  { name: 'OidcGroupTeam', description: 'A group of an OIDC provider, and the team that its members belong to.' },
  (f) => ({
    group: f.string('Name of the group as the claim has it.', ({ group }) => group),
    teamId: f.id('team')('ID of the team. The pair has no effect if the team was deleted.', ({ teamId }) => teamId),
  }),
);

export const oidcProvider = resource<ProviderRow>(
  {
    name: 'OidcProvider',
    object: 'oidc-provider',
    node: 'oidc',
    isVersioned: true,
    description: 'An identity provider that members of an organization sign in with (OpenID Connect).',
  },
  (f) => {
    const { label, ...others } = providerFields(f);
    return {
      label,
      status: f.enum(oidcProviderStatus)('Whether members can sign in with the provider.', (row) =>
        isActiveOidc(row) ? 'active' : 'pending',
      ),
      issuer: f.url.nullable('Issuer of the provider. Null while it is not set.', ({ issuer }) => issuer),
      clientId: f.string.nullable(
        'Client ID of this service at the provider. Null while it is not set.',
        ({ clientId }) => clientId,
        { rest: 'clientID' },
      ),
      hasClientSecret: f.boolean(
        'Whether a client secret is set. It is never shown.',
        (row) => row.clientSecret !== null,
      ),
      hasUnreadableSecret: f.boolean(
        "Whether the client secret cannot be read because the service's secret key was lost. Sign-ins then fail. Set the client secret again with `updateOidcProvider`.",
        (row, { services }) => clientSecret.isUnreadable(services, row, row.clientSecret),
      ),
      groupsClaim: f.string.nullable(
        'Name of the claim with the groups of a person. Null if groups give no teams.',
        ({ groupsClaim }) => groupsClaim,
      ),
      groupTeams: f.list(types.object(() => oidcGroupTeam))(
        'Groups of the provider and the teams of their members.',
        ({ groupTeams }) => groupTeams ?? [],
      ),
      ...others,
      service: f.object(() => oidcService)('Values to configure at the provider.', ({ id }, ctx) =>
        oidcServiceOf(ctx.services.config.publicUrl, id),
      ),
      urls: f.object(() => oidcProviderUrls)('URLs of the provider.', (row) => row),
    };
  },
);
