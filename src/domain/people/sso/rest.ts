import { z } from 'zod';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { member } from '../members/index.ts';
import { createSamlProvider } from './create-saml-provider.ts';
import { deleteSamlProvider } from './delete-saml-provider.ts';
import { getSamlProvider } from './get-saml-provider.ts';
import { listSamlProviders } from './list-saml-providers.ts';
import { listSsoLogins } from './list-sso-logins.ts';
import { samlProvider, ssoLogin } from './resources.ts';
import { setBreakGlass } from './set-break-glass.ts';
import { updateSamlProvider } from './update-saml-provider.ts';

const PROVIDERS = '/v1/orgs/:organizationId/saml';
const PROVIDER = `${PROVIDERS}/:samlProviderId`;
const MEMBER = '/v1/orgs/:organizationId/members/:userId';

const rename = { entityID: 'entityId', ssoURL: 'ssoUrl', defaultTeam: 'defaultTeamId' } as const;

export const ssoRoutes: Route[] = [
  listRoute(PROVIDERS, listSamlProviders, {
    operationId: 'listSAMLProvidersInOrganizationById',
    response: resourceResponse(samlProvider),
  }),
  route('POST', PROVIDERS, createSamlProvider, {
    operationId: 'createOrganizationSAMLProvider',
    rename,
    status: 201,
    headers: ({ id, organizationId }, ctx) => ({
      location: locationUrl(ctx, `/v1/orgs/${organizationId}/saml/${id}`),
    }),
    response: resourceResponse(samlProvider),
  }),
  route('GET', PROVIDER, getSamlProvider, {
    operationId: 'getOrganizationSAMLProviderById',
    response: resourceResponse(samlProvider),
  }),
  route('PATCH', PROVIDER, updateSamlProvider, {
    operationId: 'updateOrganizationSAMLProvider',
    rename,
    response: resourceResponse(samlProvider),
  }),
  route('DELETE', PROVIDER, deleteSamlProvider, { operationId: 'deleteOrganizationSAMLProvider' }),
  route('GET', '/v1/orgs/:organizationId/sso', listSsoLogins, {
    operationId: 'listSSOProviderLoginsInOrganization',
    shape: () => z.object({ items: z.array(shapeOf(ssoLogin)).describe('Ways to sign in, oldest first.') }),
    present: async (logins, ctx) => ({
      items: await Promise.all(logins.map((login) => present(ssoLogin, login, ctx))),
    }),
  }),
  route('PUT', `${MEMBER}/break-glass`, setBreakGlass, {
    operationId: 'setBreakGlassForMemberInOrganization',
    response: resourceResponse(member),
  }),
];
