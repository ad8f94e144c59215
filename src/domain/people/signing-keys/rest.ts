import { type Route, route } from '../../../platform/http/route.ts';
import { getOrganizationKeys } from './get-organization-keys.ts';
import { publicKeys } from './public-key.ts';

export const signingKeyRoutes: Route[] = [
  route('GET', '/v1/orgs/:organizationId/jwks.json', getOrganizationKeys, {
    operationId: 'getOrganizationKeys',
    shape: publicKeys,
    headers: () => ({ 'cache-control': 'public, max-age=300' }),
    present: (keys) => keys,
  }),
];
