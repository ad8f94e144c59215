import { type Route, route } from '../../../platform/http/route.ts';
import { getOrganizationKeys } from './get-organization-keys.ts';
import { publicKeys } from './public-key.ts';
import { rotateOrganizationKeys } from './rotate-organization-keys.ts';

export const signingKeyRoutes: Route[] = [
  route('GET', '/v1/orgs/:organizationId/jwks.json', getOrganizationKeys, {
    operationId: 'getOrganizationKeys',
    shape: publicKeys,
    headers: () => ({ 'cache-control': 'public, max-age=300' }),
    present: (keys) => keys,
  }),
  route('POST', '/v1/orgs/:organizationId/jwks/rotate', rotateOrganizationKeys, {
    operationId: 'rotateOrganizationKeys',
    shape: publicKeys,
    present: ({ keys }) => ({ keys }),
  }),
];
