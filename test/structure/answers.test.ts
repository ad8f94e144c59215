import { expect, test } from 'vitest';
import { routes } from '../../src/routes.ts';
import { descriptionsOf, expectShape } from '../shapes.ts';
import { world } from '../world.ts';
import { callRoute } from './calls.ts';
import { furnish } from './furnish.ts';

const { admin, organizationId } = await world();
const ids = await furnish(admin, organizationId);

const reads = routes
  .filter(({ method, operation }) => method === 'GET' && operation)
  .map((route) => [route.path, route] as const);

test.each(reads)('%s answers in the shapes that clients know', async (_path, route) => {
  const { status, body } = await callRoute(admin, route, ids);
  expect([status, body.error]).toEqual([200, undefined]);
  const isDescribed = descriptionsOf(route.operationId).length > 0;
  if (isDescribed) expectShape(route.operationId, status, body);
  if (isDescribed) expectShape(route.operationId, status, body, { beyond: true });
});
