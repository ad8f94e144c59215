import { type Route, route } from '../../platform/http/route.ts';
import { getApiInformation } from './get-api-information.ts';

export const serviceRoutes: Route[] = [
  route('GET', '/v1', getApiInformation, { operationId: 'getApiInformation', present: (information) => information }),
];
