import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { edit, gitServer, newSpace, sync } from './arrange.ts';

const { admin, organizationId } = await world({ ALLOW_PRIVATE_NETWORK: '1' });
const server = await gitServer();

const titles = ['Home', 'SUMMARY', 'CON', 'nul', 'README', 'aux'];

test('pages get files that every system can check out, and keep them over a fresh import', async () => {
  const repository = await server.repository('names');
  await repository.commit({ LICENSE: 'text' });
  const spaceId = await newSpace(admin, organizationId);
  const pageIds = await edit(
    admin,
    spaceId,
    titles.map((title) => ({ insertPage: { title, document: { markdown: 'Text.' } } })),
  );
  const parentId = pageIds.at(-1);
  await edit(admin, spaceId, [{ insertPage: { title: 'Below', parentId, document: { markdown: 'Text.' } } }]);
  await sync(admin, spaceId, 'export', { url: repository.url });
  expect(Object.keys(await repository.files()).toSorted()).toEqual(
    [
      ...['LICENSE', 'README.md', 'SUMMARY.md', 'aux-2/README.md', 'aux-2/below.md'],
      ...['con-2.md', 'nul-2.md', 'readme-2.md', 'summary-2.md'],
    ].toSorted(),
  );
  const other = await newSpace(admin, organizationId);
  await sync(admin, other, 'import', { url: repository.url });
  expect(await sync(admin, other, 'export', { url: repository.url })).toMatchObject({ filesChanged: 0 });
});
