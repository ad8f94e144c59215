import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { edit, gitServer, newSpace, pageAt, pagesIn, sync } from './arrange.ts';

const { admin, organizationId } = await world({ ALLOW_PRIVATE_NETWORK: '1' });
const server = await gitServer();

const FILES = {
  'README.md': '# Home\n',
  'b.md': `---
cover: .gitbook/assets/a.png
coverY: 0
---

# B

Line.

See [c](c.md), [its part](./c.md#part "there"), [by label][c] and <a href="c.md">in HTML</a>.

![A](.gitbook/assets/a.png)

* a list with [c](<c.md>)

| Table |
| ----- |
| [c](c.md) |

{% file src=".gitbook/assets/a.png" %}

{% include ".gitbook/includes/shared.md" %}

{% content-ref url="c.md" %}
[c.md](c.md)
{% endcontent-ref %}

Kept: [home](README.md) and [nothing](nothing.md).

[c]: c.md
`,
  'c.md': '# C\n\n## Part\n\nText.\n',
  '.gitbook/assets/a.png': 'asset',
  '.gitbook/includes/shared.md': 'Shared.\n',
  'SUMMARY.md': '* [Home](README.md)\n* [B](b.md)\n* [C](c.md)\n',
};

let names = 0;
async function imported(files: Record<string, string> = FILES) {
  const repository = await server.repository(`gone-${names++}`);
  await repository.commit(files);
  const spaceId = await newSpace(admin, organizationId);
  const importing = () => sync(admin, spaceId, 'import', { url: repository.url });
  expect(await importing()).toMatchObject({ status: 'completed' });
  const exported = async () => {
    const run = await sync(admin, spaceId, 'export', { url: repository.url });
    expect(run, JSON.stringify(run)).toMatchObject({ status: 'completed' });
    return run;
  };
  return { repository, spaceId, importing, exported };
}

/** Changes a text in the document of a page as an editor does. */
async function rewrite(spaceId: string, path: string, from: string, to: string): Promise<void> {
  const pageId = await pageAt(admin, spaceId, path);
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/page/${pageId}?format=document`);
  const document = JSON.parse(JSON.stringify(body.document).replace(from, to));
  expect(document).not.toEqual(body.document);
  await edit(admin, spaceId, [{ updatePage: { pageId, document: { document } } }]);
}

/** Deletes the page C, the file and the reusable content that B refers to. */
async function deleteTargets(spaceId: string): Promise<void> {
  const { body: files } = await admin.get(`/v1/spaces/${spaceId}/content/files`);
  const { body: contents } = await admin.get(`/v1/spaces/${spaceId}/content/reusable-contents`);
  await edit(admin, spaceId, [
    { deletePage: { pageId: await pageAt(admin, spaceId, 'c') } },
    { deleteFile: { fileId: files.items[0].id } },
    { deleteReusableContent: { reusableContentId: contents.items[0].id } },
  ]);
}

const LEFT = {
  'README.md': FILES['README.md'],
  'SUMMARY.md': '* [Home](README.md)\n* [B](b.md)\n',
};

test('links to what was deleted stay as they were written while other lines are edited later', async () => {
  const { repository, spaceId, exported, importing } = await imported();
  await deleteTargets(spaceId);
  await exported();
  expect(await repository.files()).toEqual({ ...LEFT, 'b.md': FILES['b.md'] });
  await rewrite(spaceId, 'b', 'Line.', 'Another line.');
  await exported();
  const after = FILES['b.md'].replace('Line.', 'Another line.');
  expect(await repository.files()).toEqual({ ...LEFT, 'b.md': after });
  expect(await exported()).toMatchObject({ filesChanged: 0 });
  await importing();
  await rewrite(spaceId, 'b', 'Another line.', 'The last line.');
  await exported();
  expect((await repository.files())['b.md']).toBe(FILES['b.md'].replace('Line.', 'The last line.'));
});

test('links to what is deleted stay as they were written in a file that is edited in the same export', async () => {
  const { repository, spaceId, exported } = await imported();
  await deleteTargets(spaceId);
  await rewrite(spaceId, 'b', 'Line.', 'Another line.');
  await exported();
  expect(await repository.files()).toEqual({ ...LEFT, 'b.md': FILES['b.md'].replace('Line.', 'Another line.') });
});

test('an edited paragraph keeps the address of a page that was deleted', async () => {
  const { repository, spaceId, exported } = await imported({ ...FILES, 'b.md': '# B\n\nSee [c](c.md) *here*.\n' });
  await edit(admin, spaceId, [{ deletePage: { pageId: await pageAt(admin, spaceId, 'c') } }]);
  await exported();
  await rewrite(spaceId, 'b', 'here', 'there');
  await exported();
  expect((await repository.files())['b.md']).toBe('# B\n\nSee [c](c.md) *there*.\n');
});

test('links to what was deleted stay as they were written while their file moves', async () => {
  const { repository, spaceId, exported } = await imported();
  await deleteTargets(spaceId);
  await exported();
  await edit(admin, spaceId, [{ updatePage: { pageId: await pageAt(admin, spaceId, 'b'), slug: 'moved' } }]);
  await exported();
  expect((await repository.files())['moved.md']).toBe(FILES['b.md']);
});

test('a link in the table of contents to a page that was deleted stays as it was written', async () => {
  const files = { ...FILES, 'SUMMARY.md': `${FILES['SUMMARY.md']}* [C again](c.md)\n` };
  const { repository, spaceId, exported, importing } = await imported(files);
  await edit(admin, spaceId, [{ deletePage: { pageId: await pageAt(admin, spaceId, 'c') } }]);
  await exported();
  const summary = '* [Home](README.md)\n* [B](b.md)\n* [C again](c.md)\n';
  expect((await repository.files())['SUMMARY.md']).toBe(summary);
  expect(await exported()).toMatchObject({ filesChanged: 0 });
  await importing();
  const ids = await pagesIn(admin, spaceId);
  expect(ids.map(({ title }) => title)).toEqual(['Home', 'B', 'C again']);
  await edit(admin, spaceId, [{ insertPage: { title: 'D', document: { markdown: 'New.' } } }]);
  await exported();
  expect((await repository.files())['SUMMARY.md']).toBe(`${summary}* [D](d.md)\n`);
});

test('a new link to a page that was deleted is written as a broken reference, without an id', async () => {
  const { repository, spaceId, exported } = await imported();
  const [pageId, gone] = [await pageAt(admin, spaceId, 'home'), await pageAt(admin, spaceId, 'c')];
  await edit(admin, spaceId, [
    { updatePage: { pageId, document: { markdown: `See [c](page:${gone}) and [part](page:${gone}#part).` } } },
    { deletePage: { pageId: gone } },
  ]);
  await exported();
  expect((await repository.files())['README.md']).toBe(
    '# Home\n\nSee [c](broken-reference) and [part](broken-reference).\n',
  );
  await rewrite(spaceId, 'home', 'See', 'Look at');
  await exported();
  expect((await repository.files())['README.md']).toBe(
    '# Home\n\nLook at [c](broken-reference) and [part](broken-reference).\n',
  );
});
