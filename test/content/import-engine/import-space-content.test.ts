import { buffer } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import yazl from 'yazl';
import type { Client } from '../../client.ts';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';

const { admin, editor, commenter, reader, outsider, anonymous, organizationId } = await world();

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const FILES: Record<string, string | Buffer> = {
  'docs-1.0/SUMMARY.md': [
    '# Table of contents',
    '',
    '* [Welcome](README.md)',
    '',
    '## Guide',
    '',
    '* [Install](guide/install.md)',
    '  * [On Linux](guide/linux.md)',
    '* [Elsewhere](https://example.com/)',
  ].join('\n'),
  'docs-1.0/README.md':
    '# Welcome\n\nRead [how to install](guide/install.md#first) or [nothing](missing.md).\n\n![Pixel](.gitbook/assets/pixel.png)\n\n![Gone](gone.png)\n',
  'docs-1.0/guide/install.md':
    '---\ndescription: How to install it.\n---\n\n# Install\n\n## First\n\nSee [Linux](linux.md) and [home](../README.md).\n',
  'docs-1.0/guide/linux.md': '# On Linux\n\nRun it.\n',
  'docs-1.0/.gitbook/assets/pixel.png': PIXEL,
};

let spaceId: string;

beforeAll(async () => {
  spaceId = await newSpace('Imported');
});

async function newSpace(title: string): Promise<string> {
  const { space } = await admin.mutate('createSpace', { organizationId, title }, 'space { id }');
  return space.id;
}

async function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  return buffer(zip.outputStream);
}

async function upload(by: Client, bytes: Buffer): Promise<string> {
  const headers = { 'content-type': 'application/zip' };
  const { status, body } = await by.send('POST', `/v1/orgs/${organizationId}/uploads`, bytes, headers);
  expect(status).toBe(201);
  return body.url;
}

test('gives pages bodies that an import into another space has stored already', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `page-${index}`);
  const files = Object.fromEntries(names.map((name) => [`${name}.md`, `# ${name}\n\n*   The body of ${name}.\n`]));
  const zip = await zipOf(files);
  for (const target of [await newSpace('First'), await newSpace('Second')]) {
    const given = { url: await upload(editor, zip), source: 'zip' };
    expect((await editor.send('POST', `/v1/spaces/${target}/content/import`, given)).status).toBe(201);
    const { body } = await editor.get(`/v1/spaces/${target}/content/pages`);
    const pages: { id: string; title: string }[] = body.pages;
    expect(pages.map(({ title }) => title).sort()).toEqual(names.toSorted());
    for (const { id, title } of pages.slice(0, 5)) {
      const page = await editor.get(`/v1/spaces/${target}/content/page/${id}?format=markdown`);
      expect(withoutTitle(page.body.markdown)).toBe(`*   The body of ${title}.\n`);
    }
  }
});

test('brings pages to their places, with links and images resolved', async () => {
  const url = await upload(editor, await zipOf(FILES));
  const { importSpaceContent: imported } = await editor.graphql(
    `mutation($input: ImportSpaceContentInput!) { importSpaceContent(input: $input) {
      importedResources totalResources report { severity file message }
      revision { pages { __typename ... on PageNode { title path } ... on GroupPage { pages { __typename ... on PageNode { title path }
        ... on LinkPage { href } ... on DocumentPage { description pages { ... on PageNode { title path } } } } } }
        files(first: 10) { nodes { fileId name contentType size downloadUrl dimensions { width height } } } }
    } }`,
    { input: { spaceId, url, source: 'ZIP' } },
  );
  expect(imported.revision.pages).toEqual([
    { __typename: 'DocumentPage', title: 'Welcome', path: 'welcome' },
    {
      __typename: 'GroupPage',
      title: 'Guide',
      path: 'guide',
      pages: [
        {
          __typename: 'DocumentPage',
          title: 'Install',
          path: 'guide/install',
          description: 'How to install it.',
          pages: [{ title: 'On Linux', path: 'guide/install/linux' }],
        },
        { __typename: 'LinkPage', title: 'Elsewhere', path: null, href: 'https://example.com/' },
      ],
    },
  ]);
  const [file] = imported.revision.files.nodes;
  expect(file).toMatchObject({ name: 'pixel.png', contentType: 'image/png', dimensions: { width: 1, height: 1 } });
  const image = await anonymous.get(new URL(file.downloadUrl).pathname);
  expect(image.status).toBe(200);
  expect(imported).toMatchObject({ importedResources: 6, totalResources: 6 });
  expect(imported.report.map(({ message }: { message: string }) => message).join('\n')).toMatch(
    /missing\.md[\s\S]*gone\.png/,
  );

  const { body: pages } = await reader.get(`/v1/spaces/${spaceId}/content/pages`);
  const install = pages.pages[1].pages[0];
  const { body: home } = await reader.get(
    `/v1/spaces/${spaceId}/content/path/welcome?format=markdown&format.markdown.refs=stable`,
  );
  expect(home.markdown).toContain(install.id);
  expect(home.markdown).toContain(file.fileId);
  expect(home.markdown).toContain('missing.md');
});

test('appends after existing pages, with the same result over REST', async () => {
  const before = (await reader.get(`/v1/spaces/${spaceId}/content`)).body;
  const url = await upload(editor, await zipOf({ 'one.md': '# One more\n\nText.\n' }));
  const { status, body, headers } = await editor.post(`/v1/spaces/${spaceId}/content/import`, {
    url,
    source: 'markdown',
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ importedResources: 1, totalResources: 1 });
  expect(headers.get('location')).toContain(body.revision);
  const after = (await reader.get(`/v1/spaces/${spaceId}/content`)).body;
  expect(after.pages.slice(0, -1)).toEqual(before.pages);
  expect(after.pages.at(-1)).toMatchObject({ title: 'One more' });
});

test('refuses hostile and useless archives, and changes nothing', async () => {
  const before = (await reader.get(`/v1/spaces/${spaceId}/content`)).body.id;
  const refused = async (bytes: Buffer) => {
    const { status, body } = await editor.post(`/v1/spaces/${spaceId}/content/import`, {
      url: await upload(editor, bytes),
      source: 'zip',
    });
    expect(body.error).toMatchObject({ code: 400, message: expect.stringMatching(/^url: /) });
    expect(status).toBe(400);
  };
  await refused(Buffer.from('not a zip at all'));
  await refused(await zipOf({ 'readme.txt': 'No page here.' }));
  await refused(await zipOf({ 'a.md': Buffer.alloc(50_000_000) }));
  expect((await reader.get(`/v1/spaces/${spaceId}/content`)).body.id).toBe(before);
});

test("only accepts the caller's own uploads", async () => {
  const url = await upload(editor, await zipOf(FILES));
  const send = (by: Client, given: string) =>
    by.post(`/v1/spaces/${spaceId}/content/import`, { url: given, source: 'zip' });
  expect((await send(admin, url)).status).toBe(400);
  expect((await send(editor, 'https://example.com/docs.zip')).status).toBe(400);
  expect((await send(editor, 'upload_01h455vb4pex5vsknk084sn02q')).status).toBe(400);
});

test('requires the role editor on the space', async () => {
  const input = { spaceId, url: 'upload_01h455vb4pex5vsknk084sn02q', source: 'ZIP' };
  const by = (client: Client) => client.mutate('importSpaceContent', input, 'space { id }');
  await expect(by(commenter)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(by(outsider)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(by(anonymous)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await expect(by(editor)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('imports into a change request without changing the space', async () => {
  const target = await newSpace('Target');
  const { changeRequest } = await editor.mutate(
    'createChangeRequest',
    { spaceId: target },
    'changeRequest { id number }',
  );
  const before = (await reader.get(`/v1/spaces/${target}/content`)).body.id;
  const url = await upload(editor, await zipOf(FILES));
  const path = `/v1/spaces/${target}/change-requests/${changeRequest.number}/content/import`;
  const { status, body } = await editor.post(path, { url, source: 'zip' });
  expect(status).toBe(201);
  expect((await reader.get(`/v1/spaces/${target}/content`)).body.id).toBe(before);
  const revision = (await reader.get(`/v1/spaces/${target}/revisions/${body.revision}`)).body;
  expect(revision.pages.map(({ title }: { title: string }) => title)).toEqual(['Welcome', 'Guide']);
  expect(revision.files).toHaveLength(1);
});

test('keeps the readable parts of hostile files and reports the rest', async () => {
  const target = await newSpace('Hostile');
  const files = {
    'a.md': '# a\u0000b\u202e\n\nText.\n',
    'b.md': `# ${'x'.repeat(10_000)}\n`,
    'c.md': Buffer.concat([Buffer.from('# Title\n\n'), Buffer.from([0xff, 0xfe, 0x41])]),
  };
  const url = await upload(editor, await zipOf(files));
  const { status, body } = await editor.post(`/v1/spaces/${target}/content/import`, { url, source: 'zip' });
  expect(status).toBe(201);
  const reported = body.report.map(({ file }: { file: string }) => file);
  expect(reported).toEqual(expect.arrayContaining(['a.md', 'c.md']));
  const { body: pages } = await reader.get(`/v1/spaces/${target}/content/pages`);
  for (const { title } of pages.pages) expect(title).toMatch(/^[^\p{Cc}\p{Bidi_Control}]{1,255}$/u);
});

test('brings included files as reusable contents, variables and tags', async () => {
  const into = await newSpace('Includes');
  const files = {
    'README.md':
      '---\ntags: [beta]\n---\n\n# Home\n\n{% include ".gitbook/includes/note.md" %}\n\n{% include "https://app.gitbook.com/s/abc/~/reusable/def/" %}\n\n{% include "gone.md" %}\n',
    '.gitbook/includes/note.md':
      '---\ntitle: A note\n---\n\n## Note\n\nSee [home](../../README.md).\n\n{% include "inner.md" %}\n',
    '.gitbook/includes/inner.md': 'Inner text\n',
    '.gitbook/vars.yaml': 'version: v1\n',
    '.gitbook/tags.yaml': '- tag: beta\n  label: Beta\n  icon: flask\n- tag: new\n  label: New\n  color: $info\n',
  };
  const { status } = await editor.post(`/v1/spaces/${into}/content/import`, {
    url: await upload(editor, await zipOf(files)),
    source: 'zip',
  });
  expect(status).toBe(201);
  const { body: contents } = await reader.get(`/v1/spaces/${into}/content/reusable-contents`);
  expect(contents.items.map(({ title }: { title: string }) => title).sort()).toEqual(['A note', 'Inner']);
  const { body: page } = await reader.get(
    `/v1/spaces/${into}/content/path/home?format=markdown&format.markdown.refs=stable&dereferenced=reusable-contents`,
  );
  expect(page.markdown).toContain('## Note\n\nSee [home](/pages/');
  expect(page.markdown).toContain('Inner text');
  expect(page.markdown).toContain('{% include "space:abc/reusable:def" %}');
  expect(page.markdown).toContain('{% include "gone.md" %}');
  expect(page.tags).toEqual([{ tag: { kind: 'tag', tag: 'beta' } }]);
  const { space } = await reader.graphql(
    `query($id: ID!) { space(id: $id) { revision { variables tags { slug label color icon emoji } } } }`,
    { id: into },
  );
  expect(space.revision.variables).toEqual({ version: 'v1' });
  expect(space.revision.tags).toEqual([
    { slug: 'beta', label: 'Beta', color: 'default', icon: 'flask', emoji: null },
    { slug: 'new', label: 'New', color: '$info', icon: null, emoji: null },
  ]);
  const { body: revision } = await reader.get(`/v1/spaces/${into}/content`);
  expect(revision.tags).toEqual([
    { slug: 'beta', label: 'Beta', color: 'default', icon: 'flask' },
    { slug: 'new', label: 'New', color: '$info' },
  ]);
});

test('refuses sources with which a space would have too many variables', async () => {
  const into = await newSpace('Full');
  const importVariables = async (yaml: string) =>
    editor.post(`/v1/spaces/${into}/content/import`, {
      url: await upload(editor, await zipOf({ 'README.md': '# Home\n', '.gitbook/vars.yaml': yaml })),
      source: 'zip',
    });
  const many = Array.from({ length: 1_000 }, (_, index) => `v${index}: a\n`).join('');
  expect((await importVariables(many)).status).toBe(201);
  expect((await importVariables('v7: b\nv8: a\n')).status).toBe(201);
  const { status, body } = await importVariables('v7: c\nmore: a\n');
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('at most 1000 variables')]);
  expect((await reader.get(`/v1/spaces/${into}/content`)).body.variables).toMatchObject({ v7: 'a', v8: 'a' });
});

test('variables of the space keep their values, and the report names those that were not imported', async () => {
  const into = await newSpace('Version 4');
  await editor.mutate(
    'updateSpaceContent',
    { spaceId: into, changes: [{ setVariables: { variables: { version: '4', name: 'Acme' } } }] },
    'revision { id }',
  );
  const files = { 'README.md': '# Old manual\n', '.gitbook/vars.yaml': 'version: "2.1"\nname: Acme\nport: 80\n' };
  const url = await upload(editor, await zipOf(files));
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId: into }, 'changeRequest { id }');
  const entry = {
    file: '.gitbook/vars.yaml',
    outcome: 'dropped',
    message: 'The variable "version" was not imported: the space has another value for it.',
  };
  const paths = [`/v1/spaces/${into}/change-requests/${changeRequest.id}/content`, `/v1/spaces/${into}/content`];
  for (const path of paths) {
    const { status, body } = await editor.post(`${path}/import`, { url, source: 'zip' });
    expect([status, body.droppedCount]).toEqual([201, 1]);
    expect(body.report[0]).toMatchObject(entry);
    expect((await reader.get(path)).body.variables).toEqual({ version: '4', name: 'Acme', port: 80 });
  }
});

test('variables of pages are limited, and a number that is none in JSON stays text', async () => {
  const into = await newSpace('Limited');
  const shared = `---\nvars:\n  long: &long "${'x'.repeat(300)}"\n  same: *long\n  commit: 12e4567\n---\n\n# Home\n`;
  const many = Array.from({ length: 60 }, (_, index) => `  v${index}: *long\n`).join('');
  const bomb = `---\nvars:\n  a: &long "${'x'.repeat(200)}"\n${many}---\n\n# Bomb\n`;
  const { status, body } = await editor.post(`/v1/spaces/${into}/content/import`, {
    url: await upload(editor, await zipOf({ 'README.md': shared, 'bomb.md': bomb })),
    source: 'zip',
  });
  expect([status, body.error?.message]).toEqual([201, undefined]);
  const page = (path: string) => reader.get(`/v1/spaces/${into}/content/path/${path}`).then((answer) => answer.body);
  expect((await page('home')).variables).toEqual({ commit: '12e4567' });
  expect(await page('bomb')).not.toHaveProperty('variables');
  expect(body.report.map(({ file, message }: { file: string; message: string }) => `${file}: ${message}`)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^README\.md: Variables of the page were not imported: "long", "same"\./),
      expect.stringMatching(/^bomb\.md: The front matter was not read: .*alias/),
    ]),
  );
});

const LARGE_PAGE = `---\ncover:\n  light: &url https://example.com/${'c'.repeat(60_000)}\n  dark: *url\n---\n`;
const largePages = (length: number) =>
  Object.fromEntries(Array.from({ length }, (_, index) => [`p${index}.md`, LARGE_PAGE]));

test.each([
  ['an archive', () => zipOf(largePages(290))],
  [
    'several archives in an archive',
    async () =>
      zipOf({
        'one.zip': await zipOf({ 'README.md': '# One', ...largePages(145) }),
        'two.zip': await zipOf({ 'README.md': '# Two', ...largePages(145) }),
      }),
  ],
])('a source whose front matter would fill the memory is refused: %s', async (_name, archive) => {
  const into = await newSpace('Covers');
  const { status, body } = await editor.post(`/v1/spaces/${into}/content/import`, {
    url: await upload(editor, await archive()),
    source: 'zip',
  });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('The front matter of all pages')]);
});

test('adds tags behind those of the space, in place of those with the same slug, and keeps them through edits and merges', async () => {
  const into = await newSpace('Tags');
  const bring = async (tags: string) => {
    const files = { 'README.md': '# Home\n', '.gitbook/tags.yaml': tags };
    const url = await upload(editor, await zipOf(files));
    const { status, body } = await editor.post(`/v1/spaces/${into}/content/import`, { url, source: 'zip' });
    expect(status).toBe(201);
    return body.report.map(({ message }: { message: string }) => message);
  };
  const slugs = async () => {
    const { body } = await reader.get(`/v1/spaces/${into}/content`);
    return body.tags.map(({ slug, label }: { slug: string; label: string }) => `${slug} ${label}`);
  };
  await bring('- tag: a\n  label: A\n- tag: b\n  label: B\n');
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId: into }, 'changeRequest { id }');
  expect(await bring('- tag: c\n  label: C\n- tag: a\n  label: New\n')).toContain(
    'The tag "a" of the space was replaced. It was {"label":"A"}.',
  );
  expect(await slugs()).toEqual(['a New', 'b B', 'c C']);
  await editor.mutate(
    'updateChangeRequestContent',
    { changeRequestId: changeRequest.id, changes: [{ insertPage: { title: 'More' } }] },
    'pageIds',
  );
  await admin.mutate('mergeChangeRequest', { changeRequestId: changeRequest.id }, 'result');
  expect(await slugs()).toEqual(['a New', 'b B', 'c C']);
});

test('links named like members of every object, and redirects longer than an index takes, are read', async () => {
  const into = await newSpace('Odd names');
  const redirect = [...Array(990)]
    .map((_, index) => String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000)))
    .join('');
  const files = {
    'README.md': '# Start\n\n[b](__proto__) and [c](constructor) {% include "__proto__" %}\n',
    '__proto__.md': '# Proto\n\nText.\n',
    'constructor.md': '# Constructor\n\nText.\n',
    '.gitbook.yaml': `redirects:\n  ${redirect}: constructor.md\n  former: constructor.md\n`,
  };
  const url = await upload(editor, await zipOf(files));
  const { status, body } = await editor.post(`/v1/spaces/${into}/content/import`, { url, source: 'zip' });
  expect([body.error, status]).toEqual([undefined, 201]);
  expect((await editor.get(`/v1/spaces/${into}/content/path/former`)).body.title).toBe('Constructor');
});

test('redirects of an import into a change request lead to its pages once it is merged, and replace none to present pages', async () => {
  const into = await newSpace('Redirects');
  const url = async (redirects: string) =>
    upload(editor, await zipOf({ 'setup.md': '# Setup\n', '.gitbook.yaml': `redirects:\n${redirects}` }));
  const content = `/v1/spaces/${into}/content`;
  const first = await editor.post(`${content}/import`, { url: await url('  old/taken: setup.md\n'), source: 'zip' });
  expect(first.status).toBe(201);
  const at = async (path: string) => (await reader.get(`${content}/path/${encodeURIComponent(path)}`)).body.id;
  const present = await at('old/taken');
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId: into }, 'changeRequest { id }');
  const proposed = await editor.post(`/v1/spaces/${into}/change-requests/${changeRequest.id}/content/import`, {
    url: await url('  old/taken: setup.md\n  old/start: setup.md\n'),
    source: 'zip',
  });
  expect([proposed.status, await at('old/start'), await at('old/taken')]).toEqual([201, undefined, present]);
  await admin.mutate('mergeChangeRequest', { changeRequestId: changeRequest.id }, 'result');
  expect(await at('old/start')).toBe(await at('setup-2'));
  expect(await at('old/taken')).toBe(present);
});

test('URLs with a password are refused before they are stored', async () => {
  const url = 'https://bob:secret@example.com/';
  const inRequest = await editor.post(`/v1/spaces/${spaceId}/content/import`, { url, source: 'website' });
  expect([inRequest.status, inRequest.body.error.issues[0].path]).toEqual([400, ['url']]);
  const run = await editor.post(`/v1/org/${organizationId}/imports`, {
    source: { type: 'website', url },
    target: { space: spaceId },
  });
  expect([run.status, JSON.stringify(run.body)]).toEqual([
    400,
    expect.stringContaining('must not contain a user name'),
  ]);
});
