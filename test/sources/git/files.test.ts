import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { edit, gitServer, newSpace, sync } from './arrange.ts';

const { admin, organizationId } = await world({ ALLOW_PRIVATE_NETWORK: '1' });
const server = await gitServer();

const FILES = {
  '.gitbook.yaml': 'root: ./docs/\n',
  'docs/README.md':
    '# Home\n\n![A](img/a.png)\n\n<img src="img/b.png" alt="B">\n\n<a href="files/c.zip">C</a>\n\n<video src="files/d.mp4"></video>\n',
  'docs/SUMMARY.md': '* [Home](README.md)\n* [Two](two.md)\n',
  'docs/two.md': '---\ncover: img/cover.png\n---\n\n# Two\n\n[notes](<../other/e.txt>)\n',
  'docs/.gitbook/assets/lonely.txt': 'lonely',
  'docs/.gitbook/assets/deep/notes.md': '# Not a page\n',
  'docs/img/a.png': 'a',
  'docs/img/b.png': 'b',
  'docs/img/cover.png': 'cover',
  'docs/img/unused.png': 'unused',
  'docs/files/c.zip': 'c',
  'docs/files/d.mp4': 'd',
  'docs/unused.txt': 'unused',
  'other/e.txt': 'e',
  'other/f.txt': 'f',
};

async function imported(name: string) {
  const repository = await server.repository(name);
  await repository.commit(FILES);
  const spaceId = await newSpace(admin, organizationId);
  const run = await sync(admin, spaceId, 'import', { url: repository.url });
  expect(run).toMatchObject({ status: 'completed' });
  return { repository, spaceId, run };
}

const filesIn = async (spaceId: string): Promise<{ id: string; name: string }[]> => {
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/files?limit=100`);
  return body.items;
};

test('imports the files of `.gitbook/assets` and those that pages refer to, and counts the others', async () => {
  const { repository, spaceId, run } = await imported('files');
  expect((await filesIn(spaceId)).map(({ name }) => name).toSorted()).toEqual([
    'a.png',
    'b.png',
    'c.zip',
    'cover.png',
    'd.mp4',
    'e.txt',
    'lonely.txt',
    'notes.md',
  ]);
  expect(run.droppedCount).toBe(2);
  expect(run.report).toContainEqual({
    severity: 'info',
    outcome: 'dropped',
    file: 'docs/img/unused.png',
    message: '2 files were left out, because no page refers to them. This is the first one.',
  });
  expect(run.log.map(({ message }: { message: string }) => message)).toContain('Read 2 pages and 8 files.');
  expect(await sync(admin, spaceId, 'export', { url: repository.url })).toMatchObject({ filesChanged: 0 });
});

test('a file that no page refers to is deleted from the branch when it is deleted from the space, and files left out stay', async () => {
  const { repository, spaceId } = await imported('lonely');
  const lonely = (await filesIn(spaceId)).find(({ name }) => name === 'lonely.txt');
  await edit(admin, spaceId, [{ deleteFile: { fileId: lonely?.id } }]);
  expect(await sync(admin, spaceId, 'export', { url: repository.url })).toMatchObject({ filesChanged: 1 });
  const { 'docs/.gitbook/assets/lonely.txt': _, ...others } = FILES;
  expect(await repository.files()).toEqual(others);
});

test('a file of the space with the name of a configuration is exported', async () => {
  const { repository, spaceId } = await imported('configuration');
  await edit(admin, spaceId, [{ insertFiles: { files: [{ name: 'mkdocs.yml', base64: btoa('site_name: Docs\n') }] } }]);
  expect(await sync(admin, spaceId, 'export', { url: repository.url })).toMatchObject({
    status: 'completed',
    filesChanged: 1,
  });
  expect(await repository.files()).toEqual({ ...FILES, 'docs/.gitbook/assets/mkdocs.yml': 'site_name: Docs\n' });
});
