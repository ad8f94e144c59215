import { expect, onTestFinished, test, vi } from 'vitest';
import { type Client, statementsOf } from '../client.ts';
import { translating } from '../sources/translations/arrange.ts';
import { withoutTitle } from '../without-title.ts';
import { world } from '../world.ts';
import { BETA, conditionalWorld, SECRET } from './conditional-world.ts';
import { publishedSite, spaceWith } from './reader-world.ts';

const here = await world();
const { admin, reader, anonymous, outsider, organizationId } = here;
const made = await conditionalWorld(here);
const { plain, beta, spaces, fileNamed, contentTitled } = made;
const { docs, second } = spaces;

type Named = { name?: string; title?: string };
const namesOf = (items: Named[]) => items.map(({ name, title }) => name ?? title).toSorted();

/** What a caller sees of the content of a space besides its pages, by both transports. */
async function contentSeenBy(client: Client, at = `/v1/spaces/${docs}/content`) {
  const [files, contents, whole] = await Promise.all([
    client.get(`${at}/files?limit=100`),
    client.get(`${at}/reusable-contents?limit=100`),
    client.get(at),
  ]);
  const seen = {
    files: namesOf(files.body.items),
    contents: namesOf(contents.body.items),
    variables: Object.keys(whole.body.variables).toSorted(),
    tags: whole.body.tags.map(({ slug }: { slug: string }) => slug),
  };
  expect([namesOf(whole.body.files), namesOf(whole.body.reusableContents)]).toEqual([seen.files, seen.contents]);
  expect([files.body.count, contents.body.count]).toEqual([seen.files.length, seen.contents.length]);
  return seen;
}

async function inGraphBy(client: Client) {
  const { space } = await client.graphql(
    `{ space(id: "${docs}") { revision { variables tags { slug }
      files(first: 50) { totalCount nodes { name } } reusableContents(first: 50) { totalCount nodes { title } } } } }`,
  );
  const { files, reusableContents, variables, tags } = space.revision;
  expect([files.totalCount, reusableContents.totalCount]).toEqual([files.nodes.length, reusableContents.nodes.length]);
  return {
    files: namesOf(files.nodes),
    contents: namesOf(reusableContents.nodes),
    variables: Object.keys(variables).toSorted(),
    tags: tags.map(({ slug }: { slug: string }) => slug),
  };
}

const OPEN = {
  files: ['deep.png', 'lent.png', 'seen.png'],
  contents: ['Inner', 'Outer'],
  variables: ['deep', 'seen'],
  tags: ['seen'],
};
/** Without what nothing uses. */
const FOR_BETA = {
  files: [...OPEN.files, 'zanzibar-block.png', 'zanzibar-deep.png', 'zanzibar-lent.png', 'zanzibar.png'],
  contents: [...OPEN.contents, 'Zanzibar inner', 'Zanzibar outer'],
  variables: ['deep', 'seen', 'zanzibar', 'zanzibar_block'],
  tags: ['seen', 'zanzibar'],
};
const EVERYTHING = {
  files: [...FOR_BETA.files, 'zanzibar-alone.png', 'zanzibar-unused.png'].toSorted(),
  contents: ['Inner', 'Outer', 'Zanzibar alone', 'Zanzibar inner', 'Zanzibar outer'],
  variables: ['deep', 'seen', 'unused_zanzibar', 'zanzibar', 'zanzibar_block'],
  tags: ['seen', 'zanzibar', 'unused-zanzibar'],
};

test.each([
  ['a visitor without the claim', plain, OPEN],
  ['a caller without a token', anonymous, OPEN],
  ['a user without a role', outsider, OPEN],
  ['a visitor with the claim', beta, FOR_BETA],
  ['a member', reader, EVERYTHING],
] as const)('%s sees what the pages use that are visible', async (_who, client, expected) => {
  expect(await contentSeenBy(client)).toEqual(expected);
  expect(await contentSeenBy(client, `/v1/spaces/${docs}/revisions/${made.revision}`)).toEqual(expected);
  expect(await inGraphBy(client)).toEqual(expected);
});

test('lists of what is visible have pages, with the cursors of the whole lists', async () => {
  const at = `/v1/spaces/${docs}/content/files?limit=2`;
  const first = (await plain.get(at)).body;
  expect(first.items.length).toBe(2);
  const rest = (await plain.get(`${at}&page=${first.next.page}`)).body;
  expect(namesOf([...first.items, ...rest.items])).toEqual(OPEN.files);
  expect(rest.next).toBeUndefined();
});

test('files, contents and documents are read by id if a visible page uses them', async () => {
  const ids = [
    ['files', fileNamed('zanzibar.png'), fileNamed('seen.png')],
    ['files', fileNamed('zanzibar-lent.png'), fileNamed('lent.png')],
    ['files', fileNamed('zanzibar-deep.png'), fileNamed('deep.png')],
    ['reusable-contents', contentTitled('Zanzibar inner'), contentTitled('Inner')],
    ['reusable-contents', contentTitled('Zanzibar outer'), contentTitled('Outer')],
  ] as const;
  for (const [kind, excluded, open] of ids) {
    const read = async (client: Client, id: string) => {
      const inHead = await client.get(`/v1/spaces/${docs}/content/${kind}/${id}`);
      const inRevision = await client.get(`/v1/spaces/${docs}/revisions/${made.revision}/${kind}/${id}`);
      const { node } = await client.graphql(`{ node(id: "${id}-at-${made.revision}") { id } }`);
      return [inHead.status, inRevision.status, node !== null];
    };
    expect([id(excluded), await read(plain, excluded)]).toEqual([id(excluded), [404, 404, false]]);
    expect([id(excluded), await read(beta, excluded)]).toEqual([id(excluded), [200, 200, true]]);
    expect([id(open), await read(plain, open)]).toEqual([id(open), [200, 200, true]]);
  }
  const unused = fileNamed('zanzibar-unused.png');
  for (const client of [plain, beta]) {
    expect((await client.get(`/v1/spaces/${docs}/content/files/${unused}`)).status).toBe(404);
  }
  expect((await reader.get(`/v1/spaces/${docs}/content/files/${unused}`)).status).toBe(200);
  const documentOf = (title: string) => made.contents.find((each: Named) => each.title === title).document;
  const document = async (client: Client, documentId: string) =>
    (await client.get(`/v1/spaces/${docs}/documents/${documentId}`)).status;
  expect(await document(plain, documentOf('Zanzibar inner'))).toBe(404);
  expect(await document(plain, documentOf('Inner'))).toBe(200);
  expect(await document(beta, documentOf('Zanzibar inner'))).toBe(200);
  const translationOf = (documentId: string) => ({
    source: { type: 'builtin:translation', props: { space: docs, document: documentId } },
    seed: '',
  });
  const compute = async (client: Client, body: object) =>
    (await client.post(`/v1/spaces/${docs}/content/computed/document`, body)).status;
  for (const excluded of [documentOf('Zanzibar inner'), made.plan.documentId]) {
    expect(await compute(plain, translationOf(excluded))).toBe(400);
    expect(await compute(beta, translationOf(excluded))).toBe(200);
  }
});

const id = (value: string) => value;

test('a computed page of a translation shows each caller the pages that the caller sees, whoever reads first', async () => {
  const translations = translating(here);
  const source = await spaceWith(admin, organizationId, 'Guide', [{ title: 'Open' }, { title: 'Closed' }]);
  const { translationId, translatedId } = await translations.create(source.spaceId);
  await translations.work(translationId);
  const shown = await spaceWith(admin, organizationId, 'Shown', []);
  const { body: siteSpace } = await admin.post(`${made.site.path}/site-spaces`, { spaceId: shown.spaceId });
  const { body: other } = await admin.post(`${made.site.path}/site-spaces`, { spaceId: translatedId });
  expect([siteSpace.error, other.error]).toEqual([undefined, undefined]);
  const condition = 'visitor.claims.beta == true';
  const closed = { pageId: source.pageIds[1], title: 'Zanzibar', description: 'Zanzibar in short', condition };
  const changes = [{ updatePage: closed }];
  await admin.mutate('updateSpaceContent', { spaceId: translatedId, changes }, 'revision { id }');
  const translation = { ref: { kind: 'translation', translation: translationId } };
  const computed = { type: 'builtin:translation', props: {}, dependencies: { translation } };

  const [closedToPlain, openToAll] = [1, 2];
  for (const order of [
    [admin, plain, beta, anonymous],
    [anonymous, plain, beta, admin],
  ]) {
    const insertPage = { kind: 'COMPUTED', title: `Deutsch ${order.indexOf(admin)}`, computed };
    const inserted = await admin.mutate(
      'updateSpaceContent',
      { spaceId: shown.spaceId, changes: [{ insertPage }] },
      'pageIds',
    );
    const [rootId] = inserted.pageIds;
    for (const client of order) {
      const { body } = await client.get(`/v1/spaces/${shown.spaceId}/content/pages`);
      const root = body.pages.find(({ id: pageId }: { id: string }) => pageId === rootId);
      const isOpen = client === admin || client === beta;
      expect(root.pages).toHaveLength(isOpen ? openToAll : closedToPlain);
      expect(SECRET.test(JSON.stringify(root))).toBe(isOpen);
    }
  }
});

test('the source of a translated page shows each caller the blocks that the caller sees', async () => {
  const translations = translating(here);
  const blocks = [
    `{% if ${BETA} %}\n\n\`zanzibar\`\n\n{% endif %}`,
    '{% if page.vars.isOpen %}\n\n`open`\n\n{% endif %}',
  ];
  const document = { markdown: ['First.', ...blocks].join('\n\n') };
  const page = { title: 'Guide', variables: { isOpen: true }, document };
  const { spaceId, pageIds } = await spaceWith(admin, organizationId, 'Source', [page]);
  const { translationId, translatedId } = await translations.create(spaceId);
  await translations.work(translationId);
  const { body: siteSpace } = await admin.post(`${made.site.path}/site-spaces`, { spaceId: translatedId });
  expect(siteSpace.error).toBeUndefined();
  const { computed } = (await anonymous.get(`/v1/spaces/${translatedId}/content/page/${pageIds[0]}`)).body;
  const shown = await spaceWith(admin, organizationId, 'Copy', [{ kind: 'COMPUTED', title: 'Copy', computed }]);
  await admin.post(`${made.site.path}/site-spaces`, { spaceId: shown.spaceId });

  for (const client of [anonymous, plain, outsider, beta, admin]) {
    const source = await client.post(`/v1/spaces/${translatedId}/content/computed/document`, {
      source: computed,
      seed: '',
    });
    const { body: tree } = await client.get(`/v1/spaces/${shown.spaceId}/content/pages`);
    const copy = await client.get(`/v1/spaces/${shown.spaceId}/content/page/${tree.pages[0].pages[0].id}`);
    const isShown = client === beta || client === admin;
    for (const { status, body } of [source, copy]) {
      const text = JSON.stringify(body);
      expect([status, text.includes('"open"'), SECRET.test(text)]).toEqual([200, true, isShown]);
    }
  }
});

test('events on a page that the visitor does not see are refused like those on no page, and on computed pages they are counted', async () => {
  const track = async (client: Client, page: string) => {
    const events = [{ type: 'page_view', session: {}, location: { page } }];
    const { status, body } = await client.post(`${made.site.path}/insights/events`, { events });
    return [status, body?.error?.message.replace(page, 'page')];
  };
  const pages = (await admin.get(`/v1/spaces/${docs}/content/pages`)).body.pages;
  const root = pages.find(({ title }: Named) => title === 'Zanzibar API');
  const welcome = pages.find(({ title }: Named) => title === 'Welcome');
  const [computed] = root.pages;
  const refused = await track(anonymous, 'page_1');
  expect(refused).toEqual([400, expect.stringContaining('"page" is not a page of this site')]);
  for (const page of [made.plan.id, made.plan.pages[0].id, root.id, computed.id]) {
    const answers = await Promise.all([anonymous, plain, outsider].map((client) => track(client, page)));
    expect(answers).toEqual([refused, refused, refused]);
    expect([page, await track(beta, page), await track(reader, page)]).toEqual([
      page,
      [204, undefined],
      [204, undefined],
    ]);
  }
  expect(await track(anonymous, welcome.id)).toEqual([204, undefined]);
});

test('specifications are read if a visible page shows them', async () => {
  const content = async (client: Client) =>
    (await client.get(`/v1/orgs/${organizationId}/openapi/${made.spec.slug}/versions/latest/content`)).status;
  expect([await content(plain), await content(beta), await content(reader)]).toEqual([404, 200, 200]);
  const spec = { ref: { kind: 'openapi', spec: made.spec.slug } };
  const given = { source: { type: 'builtin:openapi', props: {}, dependencies: { spec } }, seed: '' };
  for (const what of ['document', 'revision']) {
    const status = async (client: Client) =>
      (await client.post(`/v1/spaces/${docs}/content/computed/${what}`, given)).status;
    expect([await status(plain), await status(beta), await status(reader)]).toEqual([400, 200, 200]);
  }
});

test('a link to an excluded page has neither its title nor its path', async () => {
  const page = made.pages.find(({ title }: Named) => title === 'Welcome');
  const at = `/v1/spaces/${docs}/content/page/${page.id}`;
  const queries = ['relative', 'stable', 'written'].flatMap((refs) => [
    `format=markdown&format.markdown.refs=${refs}`,
    `format=markdown&format.markdown.refs=${refs}&evaluated=true&dereferenced=true`,
  ]);
  for (const query of [...queries, 'dereferenced=true', 'evaluated=true&dereferenced=true']) {
    const text = JSON.stringify((await plain.get(`${at}?${query}`)).body);
    expect([query, SECRET.exec(text)?.index === undefined ? '' : text]).toEqual([query, '']);
    expect(JSON.stringify((await beta.get(`${at}?${query}`)).body)).not.toBe(text);
  }
  const written = withoutTitle((await beta.get(`${at}?format=markdown&format.markdown.refs=written`)).body.markdown);
  expect(written).toContain('(zanzibar-plan.md)');
  const forPlain = withoutTitle((await plain.get(`${at}?format=markdown&format.markdown.refs=written`)).body.markdown);
  expect(forPlain).toContain(`[the plan](page:${made.plan.id})`);
});

test('what a page with a condition uses is visible as soon as the condition is gone', async () => {
  const { spaceId, pageIds } = await spaceWith(admin, organizationId, 'Changing', [
    { title: 'Start', document: { markdown: 'Start.' } },
    {
      title: 'Later',
      condition: 'visitor.claims.beta == true',
      variables: { level: 1 },
      document: {
        markdown: '{% if page.vars.level == 1 %}\n<code class="expression">space.vars.one</code>\n{% endif %}',
      },
    },
    {
      title: 'Always',
      condition: 'true',
      variables: { level: 2 },
      document: {
        markdown: '{% if page.vars.level == 1 %}\n<code class="expression">space.vars.two</code>\n{% endif %}',
      },
    },
  ]);
  const variables = { one: 'first', two: 'second' };
  await admin.mutate('updateSpaceContent', { spaceId, changes: [{ setVariables: { variables } }] }, 'pageIds');
  await publishedSite(admin, organizationId, { title: 'Changing', visibility: 'public', spaces: [spaceId] });
  const seen = async () => (await anonymous.get(`/v1/spaces/${spaceId}/content`)).body.variables;
  expect(await seen()).toEqual({});
  const changes = [{ updatePage: { pageId: pageIds[1], condition: null } }];
  await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  expect(await seen()).toEqual({ one: 'first' });
});

test('without conditions, a site shows what nothing uses, and reads nothing more than for members', async () => {
  const { spaceId } = await spaceWith(admin, organizationId, 'Unconditional', [
    { title: 'Start', document: { markdown: 'Start.' } },
  ]);
  const changes = [{ setVariables: { variables: { alone: 'alone' } } }];
  await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  await publishedSite(admin, organizationId, { title: 'Unconditional', visibility: 'public', spaces: [spaceId] });
  const paths = ['', '/files', '/reusable-contents', '/pages'].map((path) => `/v1/spaces/${spaceId}/content${path}`);
  expect((await anonymous.get(`/v1/spaces/${spaceId}/content`)).body.variables).toEqual({ alone: 'alone' });
  for (const path of paths) {
    const counts = [];
    for (const client of [reader, anonymous]) {
      await client.get(path);
      counts.push(statementsOf(await client.get(path)));
    }
    expect([path, counts[1]]).toEqual([path, Math.min(...counts)]);
  }
});

test('on a site with conditions, the statements do not grow with the content', async () => {
  const ask = async () => {
    const tries = [];
    for (let times = 0; times < 3; times++) tries.push(statementsOf(await plain.get(`/v1/spaces/${second}/content`)));
    return Math.min(...tries);
  };
  const before = await ask();
  const insertion = (title: string) => ({
    insertPage: { title, document: { markdown: `Text of ${title}. ![Lent](file:${fileNamed('lent.png')})` } },
  });
  const changes = Array.from({ length: 30 }, (_, index) => insertion(`More ${index}`));
  await admin.mutate('updateSpaceContent', { spaceId: second, changes }, 'pageIds');
  expect(await ask()).toBeLessThanOrEqual(before + 1);
});

test('the variables of a page are not written once for each content that it uses', async () => {
  const { spaceId, pageIds } = await spaceWith(admin, organizationId, 'Many variables', [
    { title: 'Conditional', condition: 'visitor.claims.beta' },
    { title: 'Using' },
  ]);
  const inserted = await admin.mutate(
    'updateSpaceContent',
    {
      spaceId,
      changes: Array.from({ length: 20 }, (_, i) => ({
        insertReusableContent: { title: `Used ${i}`, document: { markdown: `Number ${i}.` } },
      })),
    },
    'insertedReusableContents { reusableContentId }',
  );
  const ids: string[] = inserted.insertedReusableContents.map(
    ({ reusableContentId }: { reusableContentId: string }) => reusableContentId,
  );
  const blocks = ids.map((reusableContent) => ({
    object: 'block',
    type: 'reusable-content',
    isVoid: true,
    data: { ref: { kind: 'reusable-content', reusableContent } },
    nodes: [],
  }));
  const mark = 'a long value of a variable ';
  const variables = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`v${i}`, mark.repeat(8)]));
  const document = { document: { object: 'document', data: {}, nodes: blocks } };
  const changes = [{ updatePage: { pageId: pageIds[1], variables, document } }];
  await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  await publishedSite(admin, organizationId, { title: 'Many variables', visibility: 'public', spaces: [spaceId] });
  const texts = vi.spyOn(JSON, 'stringify');
  onTestFinished(() => texts.mockRestore());
  const { body } = await anonymous.get(`/v1/spaces/${spaceId}/content/reusable-contents?limit=100`);
  expect(body.count).toBe(ids.length);
  const written = texts.mock.results.map(({ value }) => String(value)).filter((text) => text.includes(mark));
  expect(written.reduce((sum, text) => sum + text.length, 0)).toBeLessThan(3 * JSON.stringify(variables).length);
});
