import { expect, test, vi } from 'vitest';
import { world } from '../../world.ts';
import { edit, gitServer, markdownAt, newSpace, pageAt } from './arrange.ts';
import { connect, connectionOf, githubHook } from './connect.ts';

const { admin, organizationId, url } = await world({ ALLOW_PRIVATE_NETWORK: '1', WORKERS: '1' });
const server = await gitServer();

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 50 });

test('with workers, a push to the hook becomes visible, and an edit goes out', async () => {
  const repository = await server.repository('live');
  await repository.commit({ 'README.md': '# Home\n\nFirst.\n', 'other.md': '# Other\n\nText.\n' });
  const spaceId = await newSpace(admin, organizationId);
  const connection = await connect(admin, spaceId, { url: repository.url });
  await admin.post(`/v1/spaces/${spaceId}/git/connection/start`, {});
  await until(async () => expect(await markdownAt(admin, spaceId, 'home')).toBe('First.\n'));
  await until(async () => expect(await connectionOf(admin, spaceId)).toMatchObject({ polledAt: expect.any(String) }));

  await repository.commit({ 'README.md': '# Home\n\nSecond.\n' });
  expect(await githubHook(url, connection, 'push', { ref: 'refs/heads/main' })).toBe(202);
  await until(async () => expect(await markdownAt(admin, spaceId, 'home')).toBe('Second.\n'));

  const pageId = await pageAt(admin, spaceId, 'home');
  await edit(admin, spaceId, [{ updatePage: { pageId, document: { markdown: 'Third.' } } }]);
  await until(async () => expect((await repository.files())['README.md']).toBe('# Home\n\nThird.\n'));
  expect(await repository.log()).toHaveLength(3);
  expect((await repository.files())['other.md']).toBe('# Other\n\nText.\n');
});
