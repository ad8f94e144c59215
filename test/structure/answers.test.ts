import { beforeAll, expect, test, vi } from 'vitest';
import { routes } from '../../src/routes.ts';
import { startGitServer } from '../git-server.ts';
import { descriptionsOf, expectShape } from '../shapes.ts';
import { world } from '../world.ts';
import { callRoute } from './calls.ts';
import { furnish } from './furnish.ts';

const { admin, organizationId } = await world({ ALLOW_PRIVATE_NETWORK: '1', WORKERS: '1' });
const ids = await furnish(admin, organizationId);
// What `callRoute` calls parameters that are no ids.
await admin.patch(`/v1/orgs/${organizationId}`, { hostname: 'something' });

beforeAll(async () => {
  const isProcessed = async () => {
    const { body } = await admin.get(`/v1/orgs/${organizationId}/openapi/${ids.specSlug}`);
    expect(body.lastVersion).toBeDefined();
  };
  await vi.waitFor(isProcessed, { timeout: 25_000, interval: 100 });
  await synchronize();
});

/**
 * Need a published site, or a translation that has run, which `furnish` has not. The tests of these operations check
 * their shapes.
 */
const ELSEWHERE = ['getPublishedContentByUrl', 'getTranslationReview', 'exportTranslation'];

/** The space has a Git branch to answer about. */
async function synchronize(): Promise<void> {
  const git = `/v1/spaces/${ids.space}/git`;
  const server = await startGitServer();
  const { url } = await server.repository('docs');
  await admin.delete(`${git}/connection`);
  await admin.post(`${git}/connection`, { url, ref: 'refs/heads/main' });
  await admin.post(`${git}/export`, { url, ref: 'refs/heads/main', commitMessage: 'Export', force: true });
  const isDone = async () => expect((await admin.get(`${git}/info`)).status).toBe(200);
  await vi.waitFor(isDone, { timeout: 25_000, interval: 100 });
  await server.close();
}

const reads = routes
  .filter(({ method, operation, operationId }) => method === 'GET' && operation && !ELSEWHERE.includes(operationId))
  .map((route) => [route.path, route] as const);

test.each(reads)('%s responds in the published shapes', async (_path, route) => {
  const { status, body } = await callRoute(admin, route, ids);
  expect([status, body.error]).toEqual([200, undefined]);
  const isDescribed = descriptionsOf(route.operationId).length > 0;
  if (isDescribed) expectShape(route.operationId, status, body);
  if (isDescribed) expectShape(route.operationId, status, body, { beyond: true });
});
