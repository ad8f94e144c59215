import { type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { getCustomHostname } from './get-custom-hostname.ts';
import { removeCustomHostname } from './remove-custom-hostname.ts';
import { customHostname } from './resources.ts';
import { verifyCustomHostname } from './verify-custom-hostname.ts';

const HOSTNAME = '/v1/custom-hostnames/:hostname';

export const hostnameRoutes: Route[] = [
  route('GET', HOSTNAME, getCustomHostname, {
    operationId: 'getCustomHostname',
    response: resourceResponse(customHostname),
  }),
  route('PATCH', HOSTNAME, verifyCustomHostname, { operationId: 'dnsRevalidateCustomHostname' }),
  route('DELETE', HOSTNAME, removeCustomHostname, { operationId: 'removeCustomHostname' }),
];
