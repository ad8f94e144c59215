import { resource } from '../../../platform/resource/resource.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import type { ProviderRow } from './access.ts';
import { isActiveSaml } from './is-active.ts';
import type { SsoLogin } from './list-sso-logins.ts';
import { providerFields } from './provider-fields.ts';
import { serviceOf } from './service-provider.ts';
import { samlProviderStatus } from './settings.ts';
import { startUrlOf } from './start-url.ts';

const samlService = resource<ReturnType<typeof serviceOf>>(
  {
    name: 'SamlService',
    description: 'Values to configure at the identity provider: this service as a service provider.',
  },
  (f) => ({
    acsUrl: f.url('URL of the assertion consumer service (HTTP-POST binding).', ({ acsUrl }) => acsUrl, {
      rest: 'acsURL',
    }),
    startUrl: f.url('URL that starts a sign-in.', ({ startUrl }) => startUrl, { rest: 'startURL' }),
    entityId: f.string('Entity ID of this service, and URL of its metadata.', ({ entityId }) => entityId, {
      rest: 'entityID',
    }),
  }),
);

const samlProviderUrls = resource<ProviderRow>(
  { name: 'SamlProviderUrls', description: 'API URLs of a SAML provider.' },
  (f) => ({
    location: f.url('URL of the provider in the REST API.', ({ id, organizationId }, ctx) =>
      locationUrl(ctx, `/v1/orgs/${organizationId}/saml/${id}`),
    ),
  }),
);

export const samlProvider = resource<ProviderRow>(
  {
    name: 'SamlProvider',
    object: 'saml-provider',
    node: 'saml',
    isVersioned: true,
    description: 'An identity provider that members of an organization sign in with (SAML 2.0).',
  },
  (f) => {
    const { label, ...others } = providerFields(f);
    return {
      label,
      status: f.enum(samlProviderStatus)('Whether members can sign in with the provider.', (row) =>
        isActiveSaml(row) ? 'active' : 'pending',
      ),
      ssoUrl: f.url(
        'URL of the identity provider that sign-ins are sent to. The start URL of this service while it is not set.',
        ({ id, ssoUrl }, ctx) => ssoUrl ?? serviceOf(ctx.services.config.publicUrl, id).startUrl,
        { rest: 'ssoURL' },
      ),
      entityId: f.string(
        'Entity ID of the identity provider. Empty while it is not set.',
        ({ entityId }) => entityId ?? '',
        {
          rest: 'entityID',
        },
      ),
      certificate: f.string(
        'Certificates that the identity provider signs assertions with. Empty while they are not set.',
        ({ certificate }) => certificate ?? '',
      ),
      ...others,
      service: f.object(() => samlService)('Values to configure at the identity provider.', ({ id }, ctx) =>
        serviceOf(ctx.services.config.publicUrl, id),
      ),
      urls: f.object(() => samlProviderUrls)('URLs of the provider.', (row) => row),
    };
  },
);

export const ssoLogin = resource<SsoLogin>(
  { name: 'SsoLogin', description: 'A way to sign in to an organization, for sign-in pages.' },
  (f) => ({
    id: f.apart({
      graph: f.id()(
        'ID for lists and caches. It differs from the ID of the identity provider, which only admins can read.',
        ({ id }) => `login:${id}`,
      ),
      rest: f.id()('ID of the SAML or OIDC provider.', ({ id }) => id),
    }),
    label: f.string('Label of the provider, 1 to 30 characters.', ({ label }) => label),
    startUrl: f.url(
      'URL to open in a browser to sign in. Its parameter `returnTo` is a path of this service to open afterwards.',
      ({ id }, ctx) => startUrlOf(ctx.services.config.publicUrl, id),
      { rest: 'startURL' },
    ),
  }),
);
