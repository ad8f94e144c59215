import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { importing, zipOf } from '../import-engine/arrange.ts';
import { aSpace } from './arrange.ts';

const service = await world();
const { admin, editor, commenter, reader, outsider, organizationId, eventsBy } = service;
const { imported } = importing(service);

const TEXT =
  '# not a title\n\n- a\n- *b*\n\n\n<!-- a note -->\none\ntwo  \nthree\n\n{% unknown x="1" %}\ninside\n{% endunknown %}\n';

const edit = (spaceId: string, changes: unknown[], by = editor) =>
  by.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id } pageIds');

const refused = (spaceId: string, changes: unknown[], by = editor) =>
  by.post(`/v1/spaces/${spaceId}/content`, { changes });

/** A space with a page that was written as this Markdown. */
async function written(markdown: string) {
  const { spaceId, pageId } = await aSpace(admin, organizationId);
  const { revision } = await edit(spaceId, [{ updatePage: { pageId, document: { markdown } } }]);
  return { spaceId, pageId, revisionId: revision.id };
}

const textOf = async (spaceId: string, pageId: string, query = '') =>
  (await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}/text${query}`)).body;

async function documentOf(spaceId: string, pageId: string) {
  return (await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}?format=document`)).body.document;
}

const keysOf = (document: { nodes: { key: string }[] }) => document.nodes.map(({ key }) => key);

test('a passage is replaced in the graph, and everything else stays byte for byte, with the keys of its blocks', async () => {
  const { spaceId, pageId } = await written(TEXT);
  const before = await documentOf(spaceId, pageId);
  const { pageIds } = await edit(spaceId, [
    { editPageText: { pageId, edits: [{ find: 'two', replaceWith: 'zwei' }] } },
  ]);
  expect(pageIds).toEqual([pageId]);
  expect((await textOf(spaceId, pageId)).text).toBe(TEXT.replace('two', 'zwei'));
  const after = await documentOf(spaceId, pageId);
  expect(keysOf(after)).toEqual(keysOf(before));
  expect(after.nodes[1]).toEqual(before.nodes[1]);
});

test('several passages are replaced in REST, in a change request, with a version', async () => {
  const { spaceId, pageId } = await written(TEXT);
  const { changeRequest } = await editor.mutate(
    'createChangeRequest',
    { spaceId, subject: 'x' },
    'changeRequest { id }',
  );
  const at = `/v1/spaces/${spaceId}/change-requests/${changeRequest.id}/content`;
  const { version } = (await editor.get(`${at}/page/${pageId}/text?from=1&to=1`)).body;
  const { status } = await editor.post(at, {
    changes: [
      {
        operation: 'edit_page_text',
        page: pageId,
        version,
        edits: [
          { find: 'three', replaceWith: '3' },
          { find: '- a\n', replaceWith: '' },
        ],
      },
    ],
  });
  expect(status).toBe(200);
  const { text } = (await editor.get(`${at}/page/${pageId}/text`)).body;
  expect(text).toBe(TEXT.replace('three', '3').replace('- a\n', ''));
  const read = await editor.graphql(
    'query($id: ID!, $pageId: ID!) { changeRequest(id: $id) { page(pageId: $pageId) { ... on DocumentPage { pageText { text } markdown(references: WRITTEN) } } } }',
    { id: changeRequest.id, pageId },
  );
  expect(read.changeRequest.page).toEqual({ pageText: { text }, markdown: text });
  expect((await textOf(spaceId, pageId)).text).toBe(TEXT);
});

test('a stale version is a conflict that names the current one, and nothing is changed', async () => {
  const { spaceId, pageId } = await written(TEXT);
  const { version } = await textOf(spaceId, pageId);
  const change = { editPageText: { pageId, version, edits: [{ find: 'one', replaceWith: '1' }] } };
  await edit(spaceId, [change]);
  const now = await textOf(spaceId, pageId);
  expect(now.version).not.toBe(version);
  const stale = editor.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ insertPage: { title: 'New' } }, change] },
    'pageIds',
  );
  await expect(stale).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining(`"${now.version}"`) });
  expect((await reader.get(`/v1/spaces/${spaceId}/content/pages`)).body.pages).toHaveLength(1);
});

test('changes of one call apply one after the other, with the version from before the call', async () => {
  const { spaceId, pageId } = await written(TEXT);
  const { version } = await textOf(spaceId, pageId);
  await edit(spaceId, [
    { editPageText: { pageId, version, edits: [{ find: 'one', replaceWith: 'uno' }] } },
    { updatePage: { pageId, title: 'Renamed' } },
    { editPageText: { pageId, version, edits: [{ find: 'uno', replaceWith: 'due' }] } },
    { insertPage: { title: 'New', ref: 'new', document: { markdown: 'to be edited' } } },
    { editPageText: { pageId: 'new', edits: [{ find: 'edited', replaceWith: '[linked](page:new)' }] } },
  ]);
  expect((await textOf(spaceId, pageId)).text).toBe(TEXT.replace('one', 'due'));
  const { pages } = (await reader.get(`/v1/spaces/${spaceId}/content/pages`)).body;
  expect((await textOf(spaceId, pages[1].id)).text).toBe('to be [linked](page:new)\n');
});

test('a passage that does not occur, or several times, is an error with the nearest lines', async () => {
  const { spaceId, pageId } = await written('The quick brown fox\n\nThe lazy dog\n\nThe lazy dog\n');
  const editing = (edits: unknown[]) => refused(spaceId, [{ operation: 'edit_page_text', page: pageId, edits }]);
  const missing = await editing([{ find: 'The quick brown cat', replaceWith: '' }]);
  expect(missing.status).toBe(400);
  expect(missing.body.error.message).toMatch(
    /changes\.0\.edits\.0\.find: is not in the text\. The nearest lines are line 1 "The quick brown fox"/,
  );
  const twice = await editing([{ find: 'lazy', replaceWith: '' }]);
  expect(twice.body.error.message).toMatch(
    /occurs 2 times: line 3 "The lazy dog", line 5 "The lazy dog"\. Send a longer passage, or "occurrence"/,
  );
  const beyond = await editing([{ find: 'lazy', replaceWith: '', occurrence: 3 }]);
  expect(beyond.body.error.message).toMatch(/occurrence: is more than 2/);
  const overlapping = await editing([
    { find: 'quick brown', replaceWith: '' },
    { find: 'brown fox', replaceWith: '' },
  ]);
  expect(overlapping.body.error.message).toMatch(/edits\.1\.find: overlaps with the passage of edit 0, at line 1/);
  await edit(spaceId, [{ editPageText: { pageId, edits: [{ find: 'lazy', replaceWith: 'tired', occurrence: 2 }] } }]);
  expect((await textOf(spaceId, pageId)).text).toBe('The quick brown fox\n\nThe lazy dog\n\nThe tired dog\n');
});

test('oversized edits are errors that name the limit, and nothing is done', async () => {
  const { spaceId, pageId } = await written('text\n');
  const editing = (edits: unknown[]) => refused(spaceId, [{ operation: 'edit_page_text', page: pageId, edits }]);
  const long = await editing([{ find: 'x'.repeat(100_000), replaceWith: '' }]);
  expect([long.status, long.body.error.message]).toEqual([400, expect.stringContaining('20000')]);
  const many = await editing(Array.from({ length: 10_000 }, () => ({ find: 'x', replaceWith: '' })));
  expect([many.status, many.body.error.message]).toEqual([400, expect.stringContaining('100')]);
  const empty = await editing([{ find: '', replaceWith: 'x' }]);
  expect(empty.status).toBe(400);
  const other = await refused(spaceId, [
    { operation: 'edit_page_text', page: 'page_00000000000000000000000000', edits: [{ find: 'a', replaceWith: '' }] },
  ]);
  expect([other.status, other.body.error.message]).toEqual([
    400,
    expect.stringContaining('is not a page of this content'),
  ]);
  const group = await edit(spaceId, [{ insertPage: { kind: 'GROUP', title: 'G' } }]);
  const kind = await refused(spaceId, [
    { operation: 'edit_page_text', page: group.pageIds[0], edits: [{ find: 'a', replaceWith: '' }] },
  ]);
  expect([kind.status, kind.body.error.message]).toEqual([
    400,
    expect.stringContaining('is not a page with a body of its own'),
  ]);
  expect((await textOf(spaceId, pageId)).text).toBe('text\n');
});

test('texts of more than a million characters in all are refused before they are read', async () => {
  const { spaceId, pageId } = await written(`${'word '.repeat(38_000)}\n\nend\n`);
  const changes = Array.from({ length: 6 }, (_, i) => ({
    operation: 'edit_page_text',
    page: pageId,
    edits: [{ find: i === 0 ? 'end' : `end${i - 1}`, replaceWith: `end${i}` }],
  }));
  const { status, body } = await refused(spaceId, changes);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('1000000 characters in total')]);
});

test('an edit that leaves only comments is refused, and one that removes everything empties the body', async () => {
  const { spaceId, pageId } = await written('one\n\n<!-- note -->\n');
  const { status, body } = await refused(spaceId, [
    { operation: 'edit_page_text', page: pageId, edits: [{ find: 'one', replaceWith: '' }] },
  ]);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('nothing but comments')]);
  await edit(spaceId, [{ editPageText: { pageId, edits: [{ find: 'one\n\n<!-- note -->\n', replaceWith: '' }] } }]);
  expect((await textOf(spaceId, pageId)).text).toBe('');
});

test('an imported page keeps its line ends, front matter, links and comments', async () => {
  const body = '* [b](b.md)\r\n* _c_, [gone](gone.md)\r\n\r\n<!-- n -->\r\n\r\none\r\ntwo\r\n';
  const { spaceId } = await imported(
    await zipOf({
      'SUMMARY.md': '* [A](a/README.md)\n  * [B](a/b.md)\n',
      'a/README.md': `---\r\ndescription: About a.\r\n---\r\n\r\n# A\r\n\r\n${body}`,
      'a/b.md': '# B\n\ntext\n',
    }),
    'zip',
  );
  const [a] = (await reader.get(`/v1/spaces/${spaceId}/content/pages`)).body.pages;
  await edit(spaceId, [{ editPageText: { pageId: a.id, edits: [{ find: 'one\ntwo', replaceWith: 'three\nfour' }] } }]);
  expect((await textOf(spaceId, a.id)).text).toBe(body.replace('one\r\ntwo', 'three\r\nfour'));
  const { links } = (
    await reader.graphql('query($id: ID!) { space(id: $id) { links { nodes { __typename } } } }', { id: spaceId })
  ).space;
  expect(links.nodes).toHaveLength(2);
});

test('the same block keeps its key when an equal one before it is deleted, and comments stay with their blocks', async () => {
  const { spaceId, pageId } = await written('same\n\nother\n\nsame\n\nsame\n');
  const before = keysOf(await documentOf(spaceId, pageId));
  await edit(spaceId, [{ editPageText: { pageId, edits: [{ find: 'same\n\n', replaceWith: '', occurrence: 1 }] } }]);
  expect(keysOf(await documentOf(spaceId, pageId))).toEqual(before.slice(1));
});

test('readers, commenters and outsiders cannot edit', async () => {
  const { spaceId, pageId } = await written('text\n');
  const changes = [
    { operation: 'edit_page_text', page: pageId, edits: [{ find: 'nothing like it', replaceWith: '' }] },
  ];
  expect((await refused(spaceId, changes, reader)).status).toBe(403);
  expect((await refused(spaceId, changes, commenter)).status).toBe(403);
  const hidden = await refused(spaceId, changes, outsider);
  expect(hidden.status).toBe(404);
  expect(JSON.stringify(hidden.body)).not.toContain('text\\n');
});

test('an edit that changes nothing makes no revision and no event', async () => {
  const { spaceId, pageId, revisionId } = await written('text\n');
  const count = (await eventsBy(`space=${spaceId}`)).length;
  const { revision } = await edit(spaceId, [
    { editPageText: { pageId, edits: [{ find: 'text', replaceWith: 'text' }] } },
  ]);
  expect(revision.id).toBe(revisionId);
  expect((await eventsBy(`space=${spaceId}`)).length).toBe(count);
});

test('changing a word of a page of 150 kB takes less than 2 kB in all', async () => {
  const paragraph = (i: number) => `## Section ${i}\n\n${`Some words of section ${i}, again and again. `.repeat(30)}\n`;
  const markdown = Array.from({ length: 120 }, (_, i) => paragraph(i))
    .join('\n')
    .replace('section 60, again', 'section 60, agian');
  expect(markdown.length).toBeGreaterThan(150_000);
  const { spaceId, pageId } = await written(markdown);
  let bytes = 0;
  const counting = async (query: string, variables: Record<string, unknown>) => {
    const { body } = await editor.graphqlRaw(query, variables);
    bytes += JSON.stringify({ query, variables }).length + JSON.stringify(body).length;
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  const read = await counting(
    'query($s: ID!, $p: ID!) { space(id: $s) { page(pageId: $p) { ... on DocumentPage { pageText(lines: { from: 241, to: 242 }) { version text } } } } }',
    { s: spaceId, p: pageId },
  );
  expect(read.space.page.pageText.text).toBe('## Section 60\n\n');
  await counting('mutation($input: UpdateSpaceContentInput!) { updateSpaceContent(input: $input) { pageIds } }', {
    input: {
      spaceId,
      changes: [
        {
          editPageText: {
            pageId,
            version: read.space.page.pageText.version,
            edits: [{ find: 'section 60, agian', replaceWith: 'section 60, again' }],
          },
        },
      ],
    },
  });
  expect(bytes).toBeLessThan(2_000);
  const { text, lineCount } = await textOf(spaceId, pageId);
  expect(lineCount).toBe(479);
  expect(text).toBe(markdown.replace('agian', 'again'));
});

test('empty pages that get the same text have the relative links of their own folders', async () => {
  const { spaceId } = await aSpace(admin, organizationId);
  const titles = ['Intro', 'Next'];
  const { pageIds } = await edit(spaceId, [
    { insertPage: { title: 'A', ref: 'a' } },
    { insertPage: { title: 'B', ref: 'b' } },
    ...['a', 'b'].flatMap((parentId) => titles.map((title) => ({ insertPage: { title, parentId } }))),
  ]);
  const [, , introOfA, nextOfA, introOfB, nextOfB] = pageIds;
  const edits = [{ insert: { document: { markdown: '[Next](next.md)' } } }];
  await edit(
    spaceId,
    [introOfA, introOfB].map((pageId) => ({ editPageBlocks: { pageId, edits } })),
  );
  expect(JSON.stringify(await documentOf(spaceId, introOfA))).toContain(nextOfA);
  expect(JSON.stringify(await documentOf(spaceId, introOfB))).toContain(nextOfB);
});

test('a text with a null character or half a character is refused, and so is one that is too long', async () => {
  const { spaceId, pageId } = await written(`${'word '.repeat(30_000)}\n\n<!-- n -->\nend \u{1f600}\n`);
  const editing = async (find: string, replaceWith: string) => {
    const edits = [{ find, replaceWith }];
    const { status, body } = await refused(spaceId, [{ operation: 'edit_page_text', page: pageId, edits }]);
    return [status, body.error.issues?.[0]?.code, body.error.message];
  };
  const halves = [400, 'INVALID_FORMAT', expect.stringContaining('half of a surrogate pair')];
  expect(await editing('end', 'x\u0000')).toEqual(halves);
  expect(await editing('\ud83d', '')).toEqual(halves);
  const long = [400, 'TOO_LONG', expect.stringContaining('Up to 200000 are allowed')];
  expect(await editing('end', 'x'.repeat(60_000))).toEqual(long);
  expect((await textOf(spaceId, pageId)).text).toContain('<!-- n -->\nend \u{1f600}\n');
});

test('edits without an effect count as much as others', async () => {
  const { spaceId, pageId } = await written(`${'word '.repeat(38_000)}\n\nend\n`);
  const change = { operation: 'edit_page_text', page: pageId, edits: [{ find: 'end', replaceWith: 'end' }] };
  expect((await refused(spaceId, Array(5).fill(change))).status).toBe(200);
  const { status, body } = await refused(spaceId, Array(6).fill(change));
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('1000000 characters in total')]);
});

test('a page that the same call inserts is edited in the text that was sent, with its relative links', async () => {
  const { spaceId } = await written('text');
  const [guide] = (
    await edit(spaceId, [
      { insertPage: { title: 'Guide', ref: 'guide' } },
      { insertPage: { title: 'Other', parentId: 'guide' } },
    ])
  ).pageIds;
  const { pageIds } = await edit(spaceId, [
    { insertPage: { title: 'New', parentId: guide, ref: 'new', document: { markdown: 'See [it](other.md).' } } },
    { editPageText: { pageId: 'new', edits: [{ find: '[it](other.md)', replaceWith: '*[it](other.md)*' }] } },
  ]);
  expect((await textOf(spaceId, pageIds[0])).text).toContain('See *[it](other.md)*.');
});
