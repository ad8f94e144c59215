import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { aSpace } from './arrange.ts';

const { admin, editor, reader, outsider, organizationId } = await world();

const TEXT = `Intro.

<!-- about linux -->
## Linux

Use apt.

### Setup

Run it.


## Windows
### Setup

Click it.

## End`;

const edit = (spaceId: string, changes: unknown[]) =>
  editor.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id } pageIds');

async function written(markdown: string) {
  const { spaceId, pageId } = await aSpace(admin, organizationId);
  await edit(spaceId, [{ updatePage: { pageId, document: { markdown } } }]);
  return { spaceId, pageId };
}

const read = async (spaceId: string, pageId: string, what: 'text' | 'outline') =>
  (await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}/${what}`)).body;

/** The text after a change of a section of `TEXT`, in the graph. */
async function after(change: Record<string, unknown>, markdown = TEXT): Promise<string> {
  const { spaceId, pageId } = await written(markdown);
  await edit(spaceId, [{ editPageSection: { pageId, ...change } }]);
  return (await read(spaceId, pageId, 'text')).text;
}

/** The error of a change of a section of `TEXT`, in REST. */
async function refused(change: Record<string, unknown>, markdown = TEXT, by = editor) {
  const { spaceId, pageId } = await written(markdown);
  const changes = [{ operation: 'edit_page_section', page: pageId, ...change }];
  const { status, body } = await by.post(`/v1/spaces/${spaceId}/content`, { changes });
  expect((await read(spaceId, pageId, 'text')).text).toBe(`${markdown.trimEnd()}${markdown === TEXT ? '' : '\n'}`);
  return { status, message: body.error.message as string };
}

test('an outline lists headings with anchors, lines, sizes and versions, and blocks with keys, on both transports', async () => {
  const { spaceId, pageId } = await written(TEXT);
  const outline = await read(spaceId, pageId, 'outline');
  expect(
    outline.headings.map(({ title, anchor, level, from, to }: Record<string, unknown>) => [
      title,
      anchor,
      level,
      from,
      to,
    ]),
  ).toEqual([
    ['Linux', 'linux', 2, 4, 12],
    ['Setup', 'setup', 3, 8, 12],
    ['Windows', 'windows', 2, 13, 17],
    ['Setup', 'setup-1', 3, 14, 17],
    ['End', 'end', 2, 18, 18],
  ]);
  const document = (await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}`)).body.document;
  expect(outline.blocks.map(({ key }: { key: string }) => key)).toEqual(
    document.nodes.map(({ key }: { key: string }) => key),
  );
  const { text, version, lineCount } = await read(spaceId, pageId, 'text');
  expect([outline.version, outline.size, outline.lineCount]).toEqual([version, text.length, lineCount]);
  const some = (await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}/outline?from=8&to=13`)).body;
  expect(some.headings.map(({ anchor }: { anchor: string }) => anchor)).toEqual(['setup', 'windows']);
  const { space } = await reader.graphql(
    `query($s: ID!, $p: ID!) { space(id: $s) { page(pageId: $p) { ... on DocumentPage {
      pageOutline { version lineCount size nextLine
        headings { title anchor level key from to size version } blocks { key type from to size version } } } } } }`,
    { s: spaceId, p: pageId },
  );
  expect(space.page.pageOutline).toEqual(outline);
  expect((await outsider.get(`/v1/spaces/${spaceId}/content/page/${pageId}/outline`)).status).toBe(404);
  expect((await outsider.get(`/v1/spaces/${spaceId}/content/page/${pageId}/text`)).status).toBe(404);
  expect((await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}/text?from=3&to=2`)).status).toBe(400);
  expect((await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}/text?from=90`)).body).toMatchObject({
    text: '',
    lineCount: 18,
  });
});

test('the content of a section is replaced, with its subsections', async () => {
  expect(await after({ anchor: 'linux', replaceWith: '\nUse dnf.\n' })).toBe(
    TEXT.replace('Use apt.\n\n### Setup\n\nRun it.', 'Use dnf.'),
  );
  expect(await after({ headings: ['Windows', 'Setup'], replaceWith: 'Tap.' })).toBe(TEXT.replace('Click it.', 'Tap.'));
  expect(await after({ anchor: '#end', replaceWith: 'Done.' })).toBe(`${TEXT}\n\nDone.`);
  expect(await after({ anchor: 'setup', replaceWith: '' })).toBe(TEXT.replace('\n\nRun it.', ''));
});

test('a section is appended to, at its end', async () => {
  expect(await after({ anchor: 'linux', append: '- a\n- b' })).toBe(TEXT.replace('Run it.', 'Run it.\n\n- a\n- b'));
  expect(await after({ anchor: 'end', append: 'One.\r\n\r\nTwo.' })).toBe(`${TEXT}\n\nOne.\n\nTwo.`);
  expect(await after({ anchor: 'a', append: '- y' }, '## A\n\n- x\n\n## B\n')).toBe('## A\n\n- x\n\n- y\n\n## B\n');
  expect(await after({ anchor: 'a', append: 'text' }, '## A\n## B\n')).toBe('## A\n\ntext\n\n## B\n');
});

test('a section is deleted with its heading, and what is around it stays', async () => {
  expect(await after({ anchor: 'linux', delete: true })).toBe(
    TEXT.replace('## Linux\n\nUse apt.\n\n### Setup\n\nRun it.\n\n\n', ''),
  );
  expect(await after({ anchor: 'end', delete: true })).toBe(TEXT.replace('\n## End', ''));
  expect(await after({ anchor: 'a', delete: true }, '## A\r\n\r\ntext\r\n')).toBe('');
});

test('a section that is missing or ambiguous is an error that names the sections', async () => {
  expect(await refused({ anchor: 'macos', delete: true })).toEqual({
    status: 400,
    message: expect.stringMatching(
      /anchor: is not the anchor of a section: "macos"\. The sections of the page are "linux" \(line 4\)/,
    ),
  });
  expect(await refused({ headings: ['Setup'], append: 'x' })).toEqual({
    status: 400,
    message: expect.stringMatching(/match 2 sections: "setup" \(line 8\), "setup-1" \(line 14\)/),
  });
  expect((await refused({ headings: ['MacOS'], append: 'x' })).message).toContain('match no section');
  expect((await refused({ anchor: 'linux' })).message).toContain('exactly one of replaceWith, append and delete');
  expect((await refused({ append: 'x' })).message).toContain('exactly one of anchor and headings');
});

test('stale versions of the body and of the section are conflicts that name the current ones', async () => {
  const { spaceId, pageId } = await written(TEXT);
  const { headings } = await read(spaceId, pageId, 'outline');
  const change = { editPageSection: { pageId, anchor: 'linux', sectionVersion: headings[0].version, append: 'More.' } };
  await edit(spaceId, [{ editPageText: { pageId, edits: [{ find: 'Click', replaceWith: 'Tap' }] } }, change]);
  const now = (await read(spaceId, pageId, 'outline')).headings[0].version;
  await expect(edit(spaceId, [change])).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining(`"${now}"`),
  });
});

test('new text cannot change what the rest of the page means', async () => {
  const { status, message } = await refused({ anchor: 'linux', replaceWith: '```\nopen' });
  expect([status, message]).toEqual([
    400,
    expect.stringContaining('changes what other parts of the page mean, from line 13 on'),
  ]);
  const definitions = '## A\n\n[x]: https://a.example\n\n## B\n\n[x] is here.\n';
  expect((await refused({ anchor: 'a', delete: true }, definitions)).message).toContain('from line 7 on');
});

test('outsiders and readers cannot edit sections', async () => {
  expect((await refused({ anchor: 'macos', delete: true }, TEXT, reader)).status).toBe(403);
  expect((await refused({ anchor: 'macos', delete: true }, TEXT, outsider)).status).toBe(404);
});

test('content of blank lines alone adds nothing, however long it is', async () => {
  expect(await after({ anchor: 'linux', append: '\n'.repeat(200_000) })).toBe(
    await after({ anchor: 'linux', append: '' }),
  );
});
