import { type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { getApiInformation } from './get-api-information.ts';
import { apiInformation } from './resources.ts';

export const serviceRoutes: Route[] = [
  route('GET', '/v1', getApiInformation, {
    operationId: 'getApiInformation',
    response: resourceResponse(apiInformation),
  }),
];
