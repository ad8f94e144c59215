import { z } from 'zod';
import { type Route, route } from '../../../platform/http/route.ts';
import { namedShape } from '../../../platform/shapes.ts';
import { getApiInformation } from './get-api-information.ts';

const shape = namedShape('ApiInformation', 'Which service answers.', {
  version: z.string().describe('Its release (SemVer).'),
  build: z.string().describe('What the release was made into; `source` when it runs from a checkout.'),
});

export const serviceRoutes: Route[] = [
  route('GET', '/v1', getApiInformation, {
    operationId: 'getApiInformation',
    shape,
    present: (information) => information,
  }),
];
