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
  expect(await push()).toContain('partners.md: The front matter of the page was left as it is: it cannot be read.');
  expect((await repository.files())['partners.md']).toBe(broken.replace('New text.', 'Edited text.'));

  await pull({ 'partners.md': '---\nif: visitor.claims.vip\n---\n\n# Partners\n\nEdited text.\n' });
  expect(await read('partners')).toMatchObject({ condition: 'visitor.claims.vip' });
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
  await pull({ 'open.md': '---\nif: visitor.claims.partner\ntitle: a: b\n---\n\n# Open\n\nFor partners.\n' });
  expect(await read('open')).toMatchObject({ condition: 'false' });
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

test('variables and tags of a space stay while their files cannot be read, and exports leave these files alone', async () => {
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
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content`);
  expect(body).toMatchObject({ variables: { version: 'v1', name: 'Acme' }, tags: [{ slug: 'beta', label: 'Beta' }] });
  await edit(admin, spaceId, [{ setVariables: { variables: { version: 'v3' } } }]);
  expect(await push()).toContain(
    '.gitbook/vars.yaml: The variables of the space were not exported: the file cannot be read.',
  );
  expect(await repository.files()).toMatchObject(broken);
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
