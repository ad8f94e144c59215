import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { makeSpecServer, pets } from './arrange.ts';

const { admin } = await world({ WORKERS: '1', ALLOW_PRIVATE_NETWORK: '1' });

test('servers of some organizations that do not respond delay no specification of another organization', async () => {
  const server = await makeSpecServer({ '/hangs': () => {}, '/pets.json': pets() });
  const specs: string[] = [];
  for (const [title, path] of [
    ['One', '/hangs'],
    ['Two', '/hangs'],
    ['Three', '/hangs'],
    ['Four', '/pets.json'],
  ] as const) {
    const { organization } = await admin.mutate('createOrganization', { title }, 'organization { id }');
    const spec = `/v1/orgs/${organization.id}/openapi/api`;
    expect((await admin.put(spec, { source: { url: `${server.url}${path}` } })).status).toBe(201);
    specs.push(spec);
  }
  const states = () => Promise.all(specs.map(async (spec) => (await admin.get(spec)).body.processingState));
  await expect.poll(states).toEqual(['progress', 'progress', 'progress', 'complete']);
});
