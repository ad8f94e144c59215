import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { edit, gitServer, markdownAt, newSpace, pageAt, sync } from './arrange.ts';

const { admin, organizationId } = await world({ ALLOW_PRIVATE_NETWORK: '1' });
const server = await gitServer();

let names = 0;
async function followed(files: Record<string, string>) {
  const repository = await server.repository(`unreadable-${names++}`);
  await repository.commit(files);
  const spaceId = await newSpace(admin, organizationId);
  const first = await sync(admin, spaceId, 'import', { url: repository.url });
  expect(first).toMatchObject({ status: 'completed' });
  const pull = async (changes: Record<string, string>) => {
    await repository.commit(changes);
    return linesOf(await sync(admin, spaceId, 'import', { url: repository.url }));
  };
  const push = async () => linesOf(await sync(admin, spaceId, 'export', { url: repository.url }));
  const read = async (path: string) =>
    (await admin.get(`/v1/spaces/${spaceId}/content/path/${encodeURIComponent(path)}`)).body;
  return { repository, spaceId, first: linesOf(first), pull, push, read };
}

const linesOf = ({ report }: { report: { file: string; message: string }[] }): string[] =>
  report.map(({ file, message }) => `${file}: ${message}`);

const REPLACED = 'The front matter could not be read and was replaced\\.';

const SUMMARY = '* [Home](README.md)\n* [Partners](partners.md)\n';

test('a page whose front matter cannot be read keeps its condition and its other settings, and gets its text', async () => {
  const front = 'if: visitor.claims.partner\ndescription: Before\nvars:\n  a: 1\ntags: [beta]\n';
  const { repository, spaceId, pull, push, read } = await followed({
    'README.md': '# Home\n',
    'SUMMARY.md': SUMMARY,
    'partners.md': `---\n${front}---\n\n# Partners\n\nText.\n`,
  });
  const broken = `---\n${front.replace('Before', 'Setup: the basics')}---\n\n# Partners\n\nNew text.\n`;
  expect(await pull({ 'partners.md': broken })).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^partners\.md: The front matter was not read: /),
      'partners.md: The page keeps the settings that it had.',
    ]),
  );
  expect(await read('partners')).toMatchObject({
    title: 'Partners',
    condition: 'visitor.claims.partner',
    description: 'Before',
    variables: { a: 1 },
    tags: [{ tag: { kind: 'tag', tag: 'beta' } }],
  });
  expect(await markdownAt(admin, spaceId, 'partners')).toContain('New text.');

  const pageId = await pageAt(admin, spaceId, 'partners');
  await edit(admin, spaceId, [{ updatePage: { pageId, description: 'Ours', document: { markdown: 'Edited text.' } } }]);
  expect(await push()).toContainEqual(expect.stringMatching(`^partners\\.md: ${REPLACED}`));
  const written = (await repository.files())['partners.md'] ?? '';
  expect(written).toContain('---\n# if: visitor.claims.partner\n# description: Setup: the basics\n# vars:\n#   a: 1\n');
  expect(written).toMatch(/\n---\n\n# Partners\n\nEdited text\.\n$/);

  expect(await pull({ 'partners.md': written.replace('Edited', 'Again edited') })).toEqual([]);
  expect(await read('partners')).toMatchObject({
    condition: 'visitor.claims.partner',
    description: 'Ours',
    variables: { a: 1 },
    tags: [{ tag: { kind: 'tag', tag: 'beta' } }],
  });
  expect(await markdownAt(admin, spaceId, 'partners')).toContain('Again edited text.');
});

test('a file whose front matter cannot be read stays as it is while its page does not change', async () => {
  const broken = '---\ntitle: Our partners: all\nicon: bolt\n---\n\nSee [other](other.md).\n';
  const { repository, spaceId, push } = await followed({
    'README.md': '# Home\n',
    'partners.md': broken,
    'other.md': '# Other\n',
    'third.md': '# Third\n',
  });
  await edit(admin, spaceId, [
    { updatePage: { pageId: await pageAt(admin, spaceId, 'third'), document: { markdown: 'Edited.' } } },
    { updatePage: { pageId: await pageAt(admin, spaceId, 'third'), slug: 'fourth' } },
  ]);
  expect(await push()).toEqual([]);
  expect(await repository.files()).toMatchObject({ 'partners.md': broken, 'fourth.md': '# Third\n\nEdited.\n' });
});

test('a condition that is set in the space while front matter cannot be read holds after it can be read', async () => {
  const { repository, spaceId, pull, push, read } = await followed({
    'README.md': '# Home\n',
    'SUMMARY.md': SUMMARY,
    'partners.md': '---\r\ndescription: a: b\r\n---\r\n\r\n# Partners\r\n',
  });
  const pageId = await pageAt(admin, spaceId, 'partners');
  await edit(admin, spaceId, [{ updatePage: { pageId, hidden: true, condition: 'visitor.claims.partner' } }]);
  await push();
  const written = (await repository.files())['partners.md'] ?? '';
  expect(written).toBe(
    '---\r\n# description: a: b\r\nif: visitor.claims.partner\r\nhidden: true\r\n---\r\n\r\n# Partners\r\n',
  );
  await pull({ 'partners.md': written.replace('# description: a: b', 'description: "a: b"') });
  const restrictions = { hidden: true, condition: 'visitor.claims.partner' };
  expect(await read('partners')).toMatchObject({ ...restrictions, description: 'a: b' });
});

test('a page whose front matter has lost its end keeps its condition when its text is edited', async () => {
  const { repository, spaceId, pull, push, read } = await followed({
    'README.md': '# Home\n',
    'partners.md': '---\nif: visitor.claims.partner\ntitle: Our partners\n---\n\nText.\n',
  });
  await pull({ 'partners.md': '---\nif: visitor.claims.partner\ntitle: Our partners\n\nText.\n' });
  expect(await read('partners')).toMatchObject({ title: 'Our partners', condition: 'visitor.claims.partner' });
  expect(await markdownAt(admin, spaceId, 'partners')).not.toContain('claims');

  const pageId = await pageAt(admin, spaceId, 'partners');
  await edit(admin, spaceId, [{ updatePage: { pageId, document: { markdown: 'Edited text.' } } }]);
  expect(await push()).toContainEqual(expect.stringMatching(`^partners\\.md: ${REPLACED}`));
  const written = (await repository.files())['partners.md'] ?? '';
  await pull({ 'partners.md': `${written}\nMore text.\n` });
  expect(await read('partners')).toMatchObject({ title: 'Our partners', condition: 'visitor.claims.partner' });
  expect(await markdownAt(admin, spaceId, 'partners')).toMatch(/Edited text\.\s+More text\./);
});

test('a condition that changes in front matter that cannot be read hides the page', async () => {
  const { pull, read } = await followed({
    'README.md': '# Home\n',
    'partners.md': '---\nif: visitor.claims.partner\n---\n\n# Partners\n',
    'same.md': '---\nif: "visitor.claims.partner"\n---\n\n# Same\n',
  });
  const lines = await pull({
    'partners.md': '---\nif: visitor.claims.employee\ndescription: a: b\n---\n\n# Partners\n\nInternal.\n',
    'same.md': '---\nif: "visitor.claims.partner"\ndescription: a: b\n---\n\n# Same\n',
  });
  expect(lines).toContain('partners.md: Visitors do not see the page, because its front matter seems to hide it.');
  expect(lines).toContain('same.md: The page keeps the settings that it had.');
  expect(await read('partners')).toMatchObject({ condition: 'false' });
  expect(await read('same')).toMatchObject({ condition: 'visitor.claims.partner' });
});

test('a page becomes hidden if front matter that cannot be read seems to hide it', async () => {
  const { first, pull, read } = await followed({
    'README.md': '# Home\n',
    'SUMMARY.md': `${SUMMARY}* [Open](open.md)\n`,
    'partners.md': '---\ndescription: a: b\nif: visitor.claims.partner\n---\n\n# Partners\n',
    'open.md': '# Open\n',
  });
  expect(first).toContain('partners.md: Visitors do not see the page, because its front matter seems to hide it.');
  expect(await read('partners')).toMatchObject({ condition: 'false' });
  expect(await read('open')).not.toHaveProperty('condition');
  const lines = await pull({
    'open.md': '---\nif: visitor.claims.partner\ntitle: a: b\n---\n\n# Open\n\nFor partners.\n',
  });
  expect(lines).toContain('open.md: Visitors do not see the page, because its front matter seems to hide it.');
  expect(await read('open')).toMatchObject({ condition: 'false' });
});

test.each([
  ['is indented', 'title: Open\n  if: visitor.claims.partner'],
  ['is there twice', '<<<<<<< ours\nif: visitor.claims.a\n=======\nif: visitor.claims.b\n>>>>>>> theirs'],
])('a page without a condition is hidden if the condition in its front matter %s', async (_fault, front) => {
  const { pull, read } = await followed({
    'README.md': '# Home\n',
    'SUMMARY.md': SUMMARY,
    'partners.md': '# Partners\n\nOpen.\n',
  });
  await pull({ 'partners.md': `---\n${front}\n---\n\n# Partners\n\nFor partners.\n` });
  expect(await read('partners')).toMatchObject({ condition: 'false' });
});

test('a page whose title was in front matter that cannot be read keeps its title', async () => {
  const { pull, read } = await followed({
    'README.md': '# Home\n',
    'partners.md': '---\ntitle: Our partners\n---\n\nText.\n',
  });
  await pull({ 'partners.md': '---\ntitle: Our partners: all\n---\n\nText.\n' });
  expect(await read('partners')).toMatchObject({ title: 'Our partners' });
});

test.each([
  ['a list', 'if: [visitor.claims.partner]'],
  ['more than 1,024 characters', `if: ${'a || '.repeat(300)}b`],
])('a condition that is %s hides the page', async (_name, line) => {
  const { first, read } = await followed({
    'README.md': '# Home\n',
    'partners.md': `---\n${line}\n---\n\n# Partners\n`,
  });
  expect(first).toContainEqual(
    expect.stringMatching(/^partners\.md: "if" in the front matter is not a valid condition, so the page is hidden/),
  );
  expect(await read('partners')).toMatchObject({ condition: 'false' });
});

test('variables and tags of a space stay while their files cannot be read, which exports replace if they change', async () => {
  const variables = 'version: v1\nname: Acme\n';
  const tags = '- tag: beta\n  label: Beta\n';
  const { repository, spaceId, pull, push } = await followed({
    'README.md': '# Home\n',
    '.gitbook/vars.yaml': variables,
    '.gitbook/tags.yaml': tags,
  });
  const broken = { '.gitbook/vars.yaml': '- version: v2\n', '.gitbook/tags.yaml': '- tag: a: b\n' };
  expect(await pull(broken)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^\.gitbook\/vars\.yaml: The variables were not read: /),
      expect.stringMatching(/^\.gitbook\/tags\.yaml: The tags were not read: /),
    ]),
  );
  const content = async () => (await admin.get(`/v1/spaces/${spaceId}/content`)).body;
  expect(await content()).toMatchObject({
    variables: { version: 'v1', name: 'Acme' },
    tags: [{ slug: 'beta', label: 'Beta' }],
  });
  expect(await push()).toEqual([]);
  expect(await repository.files()).toMatchObject(broken);

  await edit(admin, spaceId, [{ setVariables: { variables: { version: 'v3' } } }]);
  expect(await push()).toEqual([
    expect.stringMatching(/^\.gitbook\/vars\.yaml: The file could not be read and was replaced\. /),
  ]);
  expect(await repository.files()).toMatchObject({
    ...broken,
    '.gitbook/vars.yaml': '# - version: v2\nname: Acme\nversion: v3\n',
  });
  await pull({ 'README.md': '# Home\n\nText.\n' });
  expect(await content()).toMatchObject({ variables: { version: 'v3', name: 'Acme' } });
});

test('a first import leaves the variables of the space if their file cannot be read', async () => {
  const repository = await server.repository('unreadable-first');
  await repository.commit({ 'README.md': '# Home\n', '.gitbook/vars.yaml': '- version: v2\n' });
  const spaceId = await newSpace(admin, organizationId);
  await edit(admin, spaceId, [{ setVariables: { variables: { version: 'v1' } } }]);
  await sync(admin, spaceId, 'import', { url: repository.url });
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content`);
  expect(body).toMatchObject({ variables: { version: 'v1' } });
});

test('a reusable content whose front matter cannot be read keeps its title', async () => {
  const { repository, spaceId, pull, push } = await followed({
    'README.md': '# Home\n\n{% include "shared.md" %}\n',
    'shared.md': '---\ntitle: What we share\n---\n\nText.\n',
  });
  const contents = async () =>
    (await admin.get(`/v1/spaces/${spaceId}/content/reusable-contents`)).body.items as { id: string; title: string }[];
  expect(await pull({ 'shared.md': '---\ntitle: What: we share\n---\n\nNew text.\n' })).toContainEqual(
    expect.stringMatching(/^shared\.md: The front matter was not read: /),
  );
  const [content] = await contents();
  expect(content).toMatchObject({ title: 'What we share' });

  await edit(admin, spaceId, [
    { updateReusableContent: { reusableContentId: content?.id, document: { markdown: 'Edited text.' } } },
  ]);
  expect(await push()).toContainEqual(expect.stringMatching(`^shared\\.md: ${REPLACED}`));
  expect((await repository.files())['shared.md']).toBe(
    '---\n# title: What: we share\ntitle: What we share\n---\n\nEdited text.\n',
  );
});

test('variables of a page that a page cannot have stay in its file', async () => {
  const { repository, spaceId, push, read } = await followed({
    'README.md': '---\nvars:\n  version: v1\n  list: [a, b]\n---\n\n# Home\n',
  });
  expect(await read('home')).toMatchObject({ variables: { version: 'v1' } });
  const pageId = await pageAt(admin, spaceId, 'home');
  await edit(admin, spaceId, [{ updatePage: { pageId, variables: { version: 'v2' } } }]);
  await push();
  expect((await repository.files())['README.md']).toMatch(/list:\s+- a\s+- b\s+version: v2\n---/);
});

test.each([
  ['is no valid YAML', { '.gitbook.yaml': 'root: docs: all\n' }],
  ['names a folder outside of the repository', { '.gitbook.yaml': 'root: ../docs\n' }],
  ['names a missing folder', { '.gitbook.yaml': 'root: manual\n' }],
])('a space keeps to its folder while .gitbook.yaml %s', async (_name, broken) => {
  const { repository, spaceId, pull, push } = await followed({
    '.gitbook.yaml': 'root: docs\n',
    'README.md': '# Code\n',
    'docs/README.md': '# Home\n',
    'docs/draft.md': '# Draft\n',
    'docs/SUMMARY.md': '* [Home](README.md)\n',
    'docs/.gitbook/vars.yaml': 'version: v1\n',
  });
  const content = async () => {
    const { body } = await admin.get(`/v1/spaces/${spaceId}/content`);
    return { titles: body.pages.map(({ title }: { title: string }) => title), variables: body.variables };
  };
  const before = { titles: ['Home'], variables: { version: 'v1' } };
  expect(await content()).toEqual(before);
  const said = expect.stringMatching(/^\.gitbook\.yaml: .*The settings that the repository had before are used\.$/);
  expect(await pull({ ...broken, 'docs/README.md': '# Home\n\nText.\n' })).toContainEqual(said);
  expect(await content()).toEqual(before);

  await edit(admin, spaceId, [{ setVariables: { variables: { version: 'v2' } } }]);
  await push();
  const files = await repository.files();
  expect(files).toMatchObject({ ...broken, 'docs/.gitbook/vars.yaml': 'version: v2\n' });
  expect(Object.keys(files)).toHaveLength(6);
  expect(await pull({ 'docs/README.md': '# Home\n\nMore text.\n' })).toContainEqual(said);
  expect(await content()).toEqual({ ...before, variables: { version: 'v2' } });
});

test('a space whose repository has lost its folder does not change', async () => {
  const { repository, spaceId } = await followed({
    '.gitbook.yaml': 'root: docs\n',
    'README.md': '# Code\n',
    'docs/README.md': '# Home\n',
  });
  await repository.commit({ 'docs/README.md': null, 'manual/README.md': '# Manual\n' });
  const run = await sync(admin, spaceId, 'import', { url: repository.url });
  expect(run).toMatchObject({ status: 'failed' });
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content`);
  expect(body.pages).toMatchObject([{ title: 'Home' }]);
});
