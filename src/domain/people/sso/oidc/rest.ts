import { listRoute, type Route, resourceResponse, route } from '../../../../platform/http/route.ts';
import { locationUrl } from '../../../../platform/resource/urls.ts';
import { createOidcProvider } from './create-oidc-provider.ts';
import { deleteOidcProvider } from './delete-oidc-provider.ts';
import { getOidcProvider } from './get-oidc-provider.ts';
import { listOidcProviders } from './list-oidc-providers.ts';
import { oidcProvider } from './resources.ts';
import { updateOidcProvider } from './update-oidc-provider.ts';

const PROVIDERS = '/v1/orgs/:organizationId/oidc';
const PROVIDER = `${PROVIDERS}/:oidcProviderId`;

const rename = { clientID: 'clientId', defaultTeam: 'defaultTeamId' } as const;

export const oidcRoutes: Route[] = [
  listRoute(PROVIDERS, listOidcProviders, {
    operationId: 'listOIDCProvidersInOrganizationById',
    response: resourceResponse(oidcProvider),
  }),
  route('POST', PROVIDERS, createOidcProvider, {
    operationId: 'createOrganizationOIDCProvider',
    rename,
    status: 201,
    headers: ({ id, organizationId }, ctx) => ({
      location: locationUrl(ctx, `/v1/orgs/${organizationId}/oidc/${id}`),
    }),
    response: resourceResponse(oidcProvider),
  }),
  route('GET', PROVIDER, getOidcProvider, {
    operationId: 'getOrganizationOIDCProviderById',
    response: resourceResponse(oidcProvider),
  }),
  route('PATCH', PROVIDER, updateOidcProvider, {
    operationId: 'updateOrganizationOIDCProvider',
    rename,
    response: resourceResponse(oidcProvider),
  }),
  route('DELETE', PROVIDER, deleteOidcProvider, { operationId: 'deleteOrganizationOIDCProvider' }),
];
