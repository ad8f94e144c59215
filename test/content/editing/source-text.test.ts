import { expect, test } from 'vitest';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { importing, zipOf } from '../import-engine/arrange.ts';
import { aSpace } from './arrange.ts';

const service = await world();
const { admin, editor, reader, organizationId } = service;
const { imported } = importing(service);

const TEXT = '- a\n- *b*\n\n\n<!-- a note -->\none\ntwo  \nthree\n';

const edit = (spaceId: string, changes: unknown[]) =>
  editor.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id } pageIds');

async function markdownOf(spaceId: string, pageId: string, references = 'stable'): Promise<string> {
  const query = `format=markdown&format.markdown.refs=${references}`;
  return withoutTitle((await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}?${query}`)).body.markdown);
}

async function documentOf(spaceId: string, pageId: string) {
  return (await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}?format=document`)).body.document;
}

/** A space with a page that was written as this Markdown. */
async function written(markdown: string) {
  const { spaceId, pageId } = await aSpace(admin, organizationId);
  const { revision } = await edit(spaceId, [{ updatePage: { pageId, document: { markdown } } }]);
  return { spaceId, pageId, revisionId: revision.id };
}

test('Markdown is read as it was written, with its comments', async () => {
  const { spaceId, pageId } = await written(TEXT);
  expect(await markdownOf(spaceId, pageId)).toBe(TEXT);
});

test('an edit of the document is a patch of the text', async () => {
  const { spaceId, pageId } = await written(TEXT);
  const document = JSON.parse(JSON.stringify(await documentOf(spaceId, pageId)).replace('"a"', '"x"'));
  await edit(spaceId, [{ updatePage: { pageId, document: { document } } }]);
  expect(await markdownOf(spaceId, pageId)).toBe(TEXT.replace('- a', '- x'));
});

test('a text that only wraps its lines in another way is a change, and the body stays the same document', async () => {
  const { spaceId, pageId, revisionId } = await written('one\ntwo\n');
  const before = await documentOf(spaceId, pageId);
  const { revision } = await edit(spaceId, [
    { updatePage: { pageId, document: { markdown: 'one two\n\n<!-- x -->\n' } } },
  ]);
  expect(revision.id).not.toBe(revisionId);
  expect(await documentOf(spaceId, pageId)).toEqual(before);
  expect(await markdownOf(spaceId, pageId)).toBe('one two\n\n<!-- x -->\n');
});

test.each(['stable', 'relative', 'written'])(
  'writing back what is read with %s links changes nothing',
  async (references) => {
    const { spaceId, pageId } = await written(TEXT);
    const { pageIds } = await edit(spaceId, [{ insertPage: { title: 'Other' } }]);
    const { revision } = await edit(spaceId, [
      { updatePage: { pageId, document: { markdown: `${TEXT}\n[other](other.md) and [it](page:${pageIds[0]})\n` } } },
    ]);
    const markdown = await markdownOf(spaceId, pageId, references);
    const again = await edit(spaceId, [{ updatePage: { pageId, document: { markdown } } }]);
    expect(again.revision.id).toBe(revision.id);
  },
);

test('a revert brings the earlier text back', async () => {
  const { spaceId, pageId, revisionId } = await written(TEXT);
  await edit(spaceId, [{ updatePage: { pageId, document: { markdown: 'else' } } }]);
  expect(await markdownOf(spaceId, pageId)).toBe('else\n');
  await edit(spaceId, [{ revertPage: { pageId, revisionId } }]);
  expect(await markdownOf(spaceId, pageId)).toBe(TEXT);
});

test('a merge patches the text with the blocks of the other side', async () => {
  const { spaceId, pageId, revisionId } = await written(`${TEXT}\nlast\n`);
  await edit(spaceId, [{ updatePage: { pageId, document: { markdown: `${TEXT}\nend\n` } } }]);
  const document = JSON.parse(
    JSON.stringify(await documentOf(spaceId, pageId))
      .replace('"end"', '"last"')
      .replace('"a"', '"x"'),
  );
  await editor.mutate(
    'updateSpaceContent',
    { spaceId, baseRevisionId: revisionId, changes: [{ updatePage: { pageId, document: { document } } }] },
    'revision { id }',
  );
  expect(await markdownOf(spaceId, pageId)).toBe(`${TEXT.replace('- a', '- x')}\nend\n`);
});

test('an import is read byte for byte, until a target moves', async () => {
  const body = '* [b](b.md)\r\n* _c_, [d](../d/README.md#x)\r\n\r\n<!-- n -->\r\n\r\n| a |\r\n|-|\r\n| b |';
  const files = {
    'SUMMARY.md': '* [A label](a/README.md)\n  * [B](a/b.md)\n* [D](d/README.md)\n',
    'a/README.md': `---\r\ndescription: About a.\r\n---\r\n\r\n# A\r\n\r\n${body}`,
    'a/b.md': '# B\n\ntext\n',
    'd/README.md': '# D\n\n## x\n',
  };
  const { spaceId } = await imported(await zipOf(files), 'zip');
  const { pages } = (await reader.get(`/v1/spaces/${spaceId}/content/pages`)).body;
  const [a, d] = pages;
  expect(a).toMatchObject({ title: 'A', linkTitle: 'A label' });
  expect(await markdownOf(spaceId, a.id, 'written')).toBe(body);
  await edit(spaceId, [{ updatePage: { pageId: d.id, slug: 'e' } }]);
  expect(await markdownOf(spaceId, a.id, 'written')).toBe(body.replace('../d/README.md#x', 'e.md#x'));
});

async function contentOf(revisionId: string, id: string, references = 'STABLE') {
  const { node } = await reader.graphql(
    'query($id: ID!, $references: MarkdownReferences) { node(id: $id) { ... on ReusableContent { markdown(references: $references) document } } }',
    { id: `${id}-at-${revisionId}`, references },
  );
  return node;
}

test('a reusable content is read as it was written, and edits of its document are patches', async () => {
  const { spaceId } = await aSpace(admin, organizationId);
  const inserted = await editor.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ insertReusableContent: { title: 'Shared', document: { markdown: TEXT } } }] },
    'revision { id } insertedReusableContents { reusableContentId markdown }',
  );
  const [{ reusableContentId, markdown }] = inserted.insertedReusableContents;
  expect(markdown).toBe(TEXT);
  const { document } = await contentOf(inserted.revision.id, reusableContentId);
  const changed = JSON.parse(JSON.stringify(document).replace('"a"', '"x"'));
  const write = async (body: object) =>
    (await edit(spaceId, [{ updateReusableContent: { reusableContentId, document: body } }])).revision.id;
  const patched = await write({ document: changed });
  expect((await contentOf(patched, reusableContentId)).markdown).toBe(TEXT.replace('- a', '- x'));
  expect(await write({ markdown: TEXT.replace('- a', '- x') })).toBe(patched);
  const wrapped = await write({ markdown: TEXT.replace('- a', '- x').replace('one\ntwo', 'one two') });
  expect(wrapped).not.toBe(patched);
});

test('an included file of an import is read byte for byte', async () => {
  const body = '* _c_\r\n* b\r\n\r\n<!-- n -->\r\n\r\n| a |\r\n|-|\r\n| b |';
  const { spaceId } = await imported(
    await zipOf({
      'README.md': '# A\n\n{% include ".gitbook/includes/note.md" %}\n',
      '.gitbook/includes/note.md': `---\ntitle: Note\n---\n\n${body}`,
    }),
    'zip',
  );
  const { body: revision } = await reader.get(`/v1/spaces/${spaceId}/content`);
  const [{ id }] = revision.reusableContents;
  expect((await contentOf(revision.id, id)).markdown).toBe(`\n${body}`);
});
