import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Client, statementsOf } from '../../client.ts';
import { siteWith } from '../../publishing/arrange.ts';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { importing, PIXEL, zipOf } from '../import-engine/arrange.ts';

const here = await world();
const { app, admin, editor, commenter, outsider, organizationId, otherOrganizationId, grant } = here;
const { publicUrl } = app.services.config;

let spaceId: string;
let changeRequestId: string;
let otherId: string;
let secretId: string;
let collectionId: string;
let reusableId: string;
/** Ids of pages by their titles, of files by their names, and addresses of those. */
const page: Record<string, string> = {};
const file: Record<string, string> = {};
const download: Record<string, string> = {};

const newSpace = async (title: string, by: Client = admin, organization = organizationId): Promise<string> =>
  (await by.mutate('createSpace', { organizationId: organization, title, empty: true }, 'space { id }')).space.id;

const edit = async (space: string, changes: unknown[]): Promise<string[]> =>
  (await editor.mutate('updateSpaceContent', { spaceId: space, changes }, 'pageIds')).pageIds;

async function insertPages(space: string, pages: { title: string; [member: string]: unknown }[]): Promise<void> {
  const ids = await edit(
    space,
    pages.map((insertPage) => ({ insertPage })),
  );
  for (const [index, { title }] of pages.entries()) page[title] = ids[index] ?? '';
}

beforeAll(async () => {
  spaceId = await newSpace('Here');
  otherId = await newSpace('There');
  secretId = await newSpace('Secret');
  await grant(secretId, editor.userId, 'none');
  collectionId = (await admin.post(`/v1/orgs/${organizationId}/collections`, { title: 'Shelf' })).body.id;
  const document = { markdown: '# One\n\nWords.\n' };
  await insertPages(spaceId, [
    { title: 'Guide', ref: 'guide', document },
    { title: 'Setup', parentId: 'guide', document },
    { title: 'Deeper', parentId: 'guide', document },
    { title: 'Odd', slug: 'a: b#c?d%20e(f', document },
    { title: 'Away', kind: 'LINK', target: { kind: 'url', url: 'https://a.example' } },
  ]);
  await insertPages(otherId, [{ title: 'Far', document }]);
  const changes = [{ insertPage: { title: 'Plan' } }];
  page.Plan = (await admin.mutate('updateSpaceContent', { spaceId: secretId, changes }, 'pageIds')).pageIds[0];
  const files = ['one.png', 'same.png', 'same.png'].map((name, index) => ({
    name,
    base64: (index === 0 ? PIXEL : Buffer.from(`bytes of ${name}`)).toString('base64'),
  }));
  await edit(spaceId, [{ insertFiles: { files } }]);
  for (const { id, name, downloadURL } of (await admin.get(`/v1/spaces/${spaceId}/content/files`)).body.items) {
    file[name in file ? `${name} again` : name] = id;
    download[name] = downloadURL;
  }
  const content = { title: 'Note', document: { markdown: 'Take care.' } };
  const { insertedReusableContents } = await editor.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ insertReusableContent: content }] },
    'insertedReusableContents { reusableContentId }',
  );
  reusableId = insertedReusableContents[0].reusableContentId;
  await insertPages(spaceId, [{ title: 'Source', parentId: page.Guide }]);
  changeRequestId = (await editor.post(`/v1/spaces/${spaceId}/change-requests`)).body.id;
});

/** Markdown with every kind of reference that a body can hold, in every place that holds one. */
const everyReference = () => `# Here

A page: [page](page:${page.Setup}), [anchor](page:${page.Setup}#one), [above](page:${page.Guide}), [odd](page:${page.Odd}),
[odd anchor](page:${page.Odd}#100%25 sure), [own anchor](page:${page.Source}#here), [here](#here), [link page](page:${page.Away}).

Elsewhere: [page](space:${otherId}/page:${page.Far}), [anchor](space:${otherId}/page:${page.Far}#one), [space](space:${otherId}),
[collection](collection:${collectionId}), [user](user:${editor.userId} "mention"), [gone](page:page_gone), <https://a.example/setup.md>.

A file: [file](file:${file['one.png']}), ![picture](file:${file['one.png']}), [second](file:${file['same.png again']}).

![picture](file:${file['same.png again']})

{% file src="file:${file['one.png']}" %}

{% content-ref url="page:${page.Deeper}" %}
[page:${page.Deeper}](page:${page.Deeper})
{% endcontent-ref %}

{% include "reusable:${reusableId}" %}

<a href="page:${page.Setup}" class="button primary">Go</a>

<table><thead><tr><th>Name</th><th data-type="content-ref">To</th><th data-type="files">Files</th><th data-type="image">Picture</th></tr></thead><tbody><tr><td>x</td><td><a href="page:${page.Setup}">y</a></td><td><a href="file:${file['same.png again']}">z</a></td><td><img src="file:${file['one.png']}" alt=""></td></tr></tbody></table>
`;

interface Place {
  /** REST's address of the content. */
  path: () => string;
  /** What the graph calls it. */
  query: string;
  write(changes: unknown[]): Promise<unknown>;
}

const PLACES: [string, Place][] = [
  [
    'a space',
    {
      path: () => `/v1/spaces/${spaceId}/content`,
      query: 'node(id: $space) { ... on Space { revision { ...R } } }',
      write: (changes) => editor.mutate('updateSpaceContent', { spaceId, changes }, 'spaceId: revision { id }'),
    },
  ],
  [
    'a change request',
    {
      path: () => `/v1/spaces/${spaceId}/change-requests/${changeRequestId}/content`,
      query: 'node(id: $changeRequest) { ... on ChangeRequest { revision { ...R } } }',
      write: (changes) => editor.mutate('updateChangeRequestContent', { changeRequestId, changes }, 'revision { id }'),
    },
  ],
];

/** The page as the graph shows it at a place. */
async function inGraph({ query }: Place, selection: string) {
  const isSpace = query.includes('$space');
  const variables = { page: page.Source, ...(isSpace ? { space: spaceId } : { changeRequest: changeRequestId }) };
  const declared = isSpace ? '$space: ID!' : '$changeRequest: ID!';
  const fragment = `fragment R on Revision { page(pageId: $page) { ... on DocumentPage { ${selection} } } }`;
  const data = await editor.graphql(`query(${declared}, $page: ID!) { ${query} } ${fragment}`, variables);
  return data.node.revision.page;
}

const READINGS: [string, (place: Place) => Promise<string>][] = [
  ...['', '&format.markdown.refs=relative', '&format.markdown.refs=stable'].map(
    (query): [string, (place: Place) => Promise<string>] => [
      `over REST${query && `, ${query.slice(1)}`}`,
      async ({ path }) =>
        withoutTitle((await editor.get(`${path()}/page/${page.Source}?format=markdown${query}`)).body.markdown),
    ],
  ),
  ...['', '(references: RELATIVE)', '(references: STABLE)'].map((args): [string, (place: Place) => Promise<string>] => [
    `in the graph${args}`,
    async (place) => (await inGraph(place, `markdown${args}`)).markdown,
  ]),
];

/** What is known of the references of the page: the links with their states, and who links to its targets. */
async function knownLinks(place: Place) {
  const { links, document } = await inGraph(place, 'links(first: 100) { nodes { status ref } } document');
  const backlinks: number[] = [];
  for (const target of [
    ...['Setup', 'Guide', 'Odd', 'Deeper', 'Away', 'Source'].map((title) => `page/${page[title]}`),
    ...['one.png', 'same.png', 'same.png again'].map((name) => `files/${file[name]}`),
  ]) {
    backlinks.push((await editor.get(`${place.path()}/${target}/backlinks`)).body.count);
  }
  return {
    links: links.nodes,
    backlinks,
    // Everything but the word that was changed.
    document: JSON.parse(JSON.stringify(document).replaceAll('Elsewhere', 'Somewhere')),
  };
}

describe.each(PLACES)('in %s', (_, place) => {
  beforeAll(async () => {
    await place.write([{ updatePage: { pageId: page.Source, document: { markdown: everyReference() } } }]);
  });

  test('the page starts with references of all kinds', async () => {
    const { links, backlinks } = await knownLinks(place);
    const kinds = new Set(links.map(({ ref }: { ref: { kind: string } }) => ref.kind));
    expect([...kinds].sort()).toEqual(
      ['anchor', 'collection', 'file', 'page', 'reusable-content', 'space', 'url', 'user'].sort(),
    );
    expect(links.filter(({ status }: { status: string }) => status === 'BROKEN')).toHaveLength(1);
    expect(backlinks).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 1]);
  });

  test.each(READINGS)('Markdown read %s and written back keeps every reference', async (_name, read) => {
    const before = await knownLinks(place);
    const markdown = await read(place);
    const changed = markdown.includes('Elsewhere')
      ? markdown.replace('Elsewhere', 'Somewhere')
      : markdown.replace('Somewhere', 'Elsewhere');
    expect(changed).not.toBe(markdown);
    await place.write([{ updatePage: { pageId: page.Source, document: { markdown: changed } } }]);
    expect(await knownLinks(place)).toEqual(before);
    expect(await read(place)).toBe(changed);
  });
});

/** References in the body of a page with this text, in reading order. */
async function refsIn(markdown: string, by: Client = editor, pageId = page.Deeper): Promise<unknown[]> {
  await by.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ updatePage: { pageId, document: { markdown } } }] },
    'pageIds',
  );
  return refsOf(pageId);
}

async function refsOf(pageId: string | undefined): Promise<unknown[]> {
  const query =
    'query($id: ID!, $page: ID!) { space(id: $id) { revision { page(pageId: $page) { links(first: 100) { nodes { ref } } } } } }';
  const { space } = await admin.graphql(query, { id: spaceId, page: pageId });
  return space.revision.page.links.nodes.map(({ ref }: { ref: unknown }) => ref);
}

describe('URLs resolve to', () => {
  test.each(['setup.md', './setup.md', 'setup', '../guide/setup.md', '/guide/setup', '/guide/setup.md', 'setup/'])(
    'a page by its path: %s',
    async (address) => {
      expect(await refsIn(`[a](${address})`)).toEqual([{ kind: 'page', page: page.Setup }]);
      expect(await refsIn(`[a](${address}#one)`)).toEqual([{ kind: 'anchor', anchor: 'one', page: page.Setup }]);
    },
  );

  test('pages, spaces and collections by their URLs in the application', async () => {
    const app = `${publicUrl}/app`;
    const text = [
      `${app}/spaces/${spaceId}/pages/${page.Setup}`,
      `${app}/spaces/${spaceId}/pages/${page.Setup}#one`,
      `${app}/spaces/${otherId}/pages/${page.Far}`,
      `${app}/spaces/${otherId}`,
      `${app}/collections/${collectionId}`,
    ].map((url) => `<${url}>`);
    expect(await refsIn(text.join(' '))).toEqual([
      { kind: 'page', page: page.Setup },
      { kind: 'anchor', anchor: 'one', page: page.Setup },
      { kind: 'page', page: page.Far, space: otherId },
      { kind: 'space', space: otherId },
      { kind: 'collection', collection: collectionId },
    ]);
  });

  test('a file by its download URL, also under another name', async () => {
    await edit(spaceId, [{ updateFile: { fileId: file['one.png'], name: 'renamed.png' } }]);
    expect(await refsIn(`![a](${download['one.png']})`)).toEqual([{ kind: 'file', file: file['one.png'] }]);
    await edit(spaceId, [{ updateFile: { fileId: file['one.png'], name: 'one.png' } }]);
  });

  test('a renamed page by its former path', async () => {
    await insertPages(spaceId, [{ title: 'Before', parentId: page.Guide }]);
    await edit(spaceId, [{ updatePage: { pageId: page.Before, slug: 'after' } }]);
    expect(await refsIn('[a](before.md)')).toEqual([{ kind: 'page', page: page.Before }]);
  });

  test('pages that the change request renamed, moved or inserted', async () => {
    const changes = [
      { updatePage: { pageId: page.Odd, slug: 'even' } },
      { movePage: { pageId: page.Setup, parentId: null } },
      { insertPage: { title: 'Fresh', parentId: page.Guide } },
    ];
    const { pageIds } = await editor.mutate('updateChangeRequestContent', { changeRequestId, changes }, 'pageIds');
    const markdown = '[a](../even.md) [b](../setup.md) [c](fresh.md) [d](setup.md) [e](nothing.md)';
    const write = [{ updatePage: { pageId: page.Deeper, document: { markdown } } }];
    await editor.mutate('updateChangeRequestContent', { changeRequestId, changes: write }, 'pageIds');
    const path = `/v1/spaces/${spaceId}/change-requests/${changeRequestId}/content/page/${page.Deeper}`;
    const stable = withoutTitle(
      (await editor.get(`${path}?format=markdown&format.markdown.refs=stable`)).body.markdown,
    );
    // The space still has the page at the path that `d` names, which finds it in readings as well.
    expect(stable).toBe(
      `[a](/pages/${page.Odd}) [b](/pages/${page.Setup}) [c](/pages/${pageIds.at(-1)}) [d](/pages/${page.Setup}) [e](nothing.md)`,
    );
    expect(await refsIn('[a](../even.md)')).toEqual([{ kind: 'url', url: '../even.md' }]);
  });

  test('pages inserted by the same call, from their future position', async () => {
    const ids = await edit(spaceId, [
      {
        insertPage: {
          title: 'First',
          parentId: page.Guide,
          ref: 'first',
          document: { markdown: '[a](first/second.md) [b](setup.md)' },
        },
      },
      {
        insertPage: { title: 'Second', parentId: 'first', document: { markdown: '[a](../first.md) [b](../setup.md)' } },
      },
    ]);
    expect(await refsOf(ids[0])).toEqual([
      { kind: 'page', page: ids[1] },
      { kind: 'page', page: page.Setup },
    ]);
    expect(await refsOf(ids[1])).toEqual([
      { kind: 'page', page: ids[0] },
      { kind: 'page', page: page.Setup },
    ]);
  });

  test('nothing if there is no such page, also in large bodies', async () => {
    const urls = [
      'nothing.md',
      '../../../guide.md',
      '?x=1',
      'setup.md?raw=1',
      'a%00b',
      '//guide/setup',
      `${publicUrl}/app/spaces/${spaceId}/pages/page_gone`,
      `${publicUrl}/app/orgs/${organizationId}`,
      `${publicUrl}/files/${organizationId}/${'0'.repeat(64)}/x/one.png`,
      `${publicUrl}.example/app/spaces/${spaceId}`,
    ];
    const links = (more: string[]) => [...urls, ...more].map((url) => `[a](${url})`).join(' ');
    expect(await refsIn(links([]))).toEqual(urls.map((url) => ({ kind: 'url', url })));
    expect((await refsIn(`${links(['setup.md'])}\n\n${'Words of a large body. '.repeat(500)}`)).at(-1)).toEqual({
      kind: 'page',
      page: page.Setup,
    });
  });

  test('a body written as a document is unchanged', async () => {
    const ref = { kind: 'url', url: 'setup.md' };
    const text = { object: 'text', leaves: [{ object: 'leaf', text: 'a', marks: [] }] };
    const link = { object: 'inline', type: 'link', data: { ref }, nodes: [text] };
    const document = {
      object: 'document',
      data: {},
      nodes: [{ object: 'block', type: 'paragraph', data: {}, nodes: [link] }],
    };
    await edit(spaceId, [{ updatePage: { pageId: page.Deeper, document: { document } } }]);
    expect(await refsOf(page.Deeper)).toEqual([ref]);
  });
});

test('hidden content stays a URL, exactly like absent content', async () => {
  const foreign = await newSpace('Foreign', outsider, otherOrganizationId);
  const { body } = await outsider.post(`/v1/orgs/${otherOrganizationId}/collections`, { title: 'Theirs' });
  const urls = [
    `${publicUrl}/app/spaces/${secretId}`,
    `${publicUrl}/app/spaces/${secretId}/pages/${page.Plan}`,
    `${publicUrl}/app/spaces/${foreign}`,
    `${publicUrl}/app/collections/${body.id}`,
    `${publicUrl}/app/spaces/space_absent`,
  ];
  const text = urls.map((url) => `[a](${url})`).join(' ');
  expect(await refsIn(text)).toEqual(urls.map((url) => ({ kind: 'url', url })));
  expect(await refsIn(text, admin)).toEqual([
    { kind: 'space', space: secretId },
    { kind: 'page', page: page.Plan, space: secretId },
    ...urls.slice(2).map((url) => ({ kind: 'url', url })),
  ]);
});

test('a page that a site hides from the writer stays a URL, where the site shows the space', async () => {
  const shownId = await newSpace('Shown');
  await grant(shownId, editor.userId, 'none');
  const condition = 'visitor.claims.beta == true';
  const insertions = [{ title: 'Open' }, { title: 'Closed', condition }].map((insertPage) => ({ insertPage }));
  const shown = { spaceId: shownId, changes: insertions };
  const [open, closed] = (await admin.mutate('updateSpaceContent', shown, 'pageIds')).pageIds;
  const site = await siteWith(admin, organizationId, { title: 'Help', visibility: 'public', spaces: [shownId] });
  expect((await admin.post(`${site.path}/publish`)).status).toBeLessThan(300);
  const urls = [open, closed].map((id) => `${publicUrl}/app/spaces/${shownId}/pages/${id}`);
  const text = urls.map((url) => `[a](${url})`).join(' ');
  const refs = [open, closed].map((id) => ({ kind: 'page', page: id, space: shownId }));
  expect(await refsIn(text)).toEqual([refs[0], { kind: 'url', url: urls[1] }]);
  expect(await refsIn(text, admin)).toEqual(refs);
});

test('a write takes as many statements for many URLs as for one', async () => {
  await insertPages(
    spaceId,
    Array.from({ length: 20 }, (_, i) => ({ title: `Many ${i}`, parentId: page.Guide })),
  );
  const links = (count: number) =>
    Array.from({ length: count }, (_, i) => [
      `[a](many-${i}.md) [b](absent-${i}.md)`,
      `<${publicUrl}/app/spaces/${i % 2 ? otherId : spaceId}/pages/${i % 2 ? page.Far : page[`Many ${i}`]}>`,
      `<${publicUrl}/app/spaces/absent-${i}> <${publicUrl}/app/collections/${i ? `absent-${i}` : collectionId}>`,
      `![c](${download[i % 2 ? 'same.png' : 'one.png']})`,
    ]).join('\n');
  const cost = async (count: number) => {
    const changes = [{ updatePage: { pageId: page.Deeper, document: { markdown: links(count) } } }];
    const query = 'mutation($input: UpdateSpaceContentInput!) { updateSpaceContent(input: $input) { __typename } }';
    const answer = await editor.graphqlRaw(query, { input: { spaceId, changes } });
    expect(answer.body.errors).toBeUndefined();
    return statementsOf(answer);
  };
  await cost(2);
  const few = await cost(3);
  expect(await cost(20)).toBe(few);
});

test('of files with the same bytes, one is chosen without sorting them for each URL', async () => {
  const copiesId = await newSpace('Copies');
  const base64 = Buffer.from('the same bytes').toString('base64');
  const names = Array.from({ length: 60 }, (_, i) => `copy-${i}.txt`);
  const insertion = (from: number) => ({
    insertFiles: { files: names.slice(from, from + 20).map((name) => ({ name, base64 })) },
  });
  await edit(copiesId, [insertion(0), insertion(20), insertion(40)]);
  const { items } = (await editor.get(`/v1/spaces/${copiesId}/content/files?limit=100`)).body;
  const [first] = items as { id: string; name: string; downloadURL: string }[];
  const named = Array.from({ length: 20 }, (_, i) => `![a](${first?.downloadURL.replace(/[^/]*$/, `copy-${i}.txt`)})`);
  const unnamed = Array.from(
    { length: 20 },
    (_, i) => `![a](${first?.downloadURL.replace(/[^/]*$/, `other-${i}.txt`)})`,
  );
  const sorts = vi.spyOn(Array.prototype, 'toSorted');
  onTestFinished(() => sorts.mockRestore());
  const [pageId = ''] = await edit(copiesId, [
    { insertPage: { title: 'Page', document: { markdown: [...named, ...unnamed].join('\n\n') } } },
  ]);
  const long = sorts.mock.contexts.filter((sorted) => (sorted as unknown[]).length === names.length);
  expect(long.length).toBeLessThan(5);
  const path = `/v1/spaces/${copiesId}/content/page/${pageId}?format=markdown&format.markdown.refs=stable`;
  const { markdown } = (await editor.get(path)).body;
  const idOf = (name: string) => items.find((item: { name: string }) => item.name === name).id;
  for (let i = 0; i < 20; i++) expect(markdown).toContain(`(/files/${idOf(`copy-${i}.txt`)}`);
  expect(markdown.split(`(/files/${first?.id}`)).toHaveLength(1 + 21);
}, 30_000);

describe('in all other Markdown texts', () => {
  const named = '[a](guide/setup.md#one) and [b](setup.md)';
  const fromTop = `[a](page:PAGE#one) and [b](setup.md)`;
  const fromPage = '[a](guide/setup.md#one) and [b](page:PAGE)';
  const withId = (text: string) => text.replace('PAGE', page.Setup ?? '');

  test('a comment, a reply, and edits of both', async () => {
    const comments = `/v1/spaces/${spaceId}/comments`;
    const posted = (await commenter.post(comments, { body: { markdown: named } })).body;
    expect(posted.body.markdown).toBe(withId(fromTop));
    const onPage = (await commenter.post(comments, { page: page.Deeper, body: { markdown: named } })).body;
    expect(onPage.body.markdown).toBe(withId(fromPage));
    const reply = (await commenter.post(`${comments}/${onPage.id}/replies`, { body: { markdown: named } })).body;
    expect(reply.body.markdown).toBe(withId(fromPage));
    const edited = await commenter.put(`${comments}/${onPage.id}`, { body: { markdown: `${named}!` } });
    expect(edited.body.body.markdown).toBe(`${withId(fromPage)}!`);
    const editedReply = await commenter.put(`${comments}/${onPage.id}/replies/${reply.id}`, {
      body: { markdown: `${named}!` },
    });
    expect(editedReply.body.body.markdown).toBe(`${withId(fromPage)}!`);
  });

  test('the description of a change request and the comment of a review', async () => {
    const made = (await admin.post(`/v1/spaces/${spaceId}/change-requests`)).body;
    const input = { changeRequestId: made.id, description: { markdown: named } };
    const { changeRequest } = await admin.mutate('updateChangeRequest', input, 'changeRequest { description }');
    expect(JSON.stringify(changeRequest.description)).toContain(`"page":"${page.Setup}"`);
    const review = { changeRequestId: made.id, status: 'CHANGES_REQUESTED', comment: { markdown: named } };
    await here.reviewer.mutate('submitReview', review, 'review { id }');
    const { body } = await admin.get(`/v1/spaces/${spaceId}/change-requests/${made.id}/comments`);
    expect(body.items[0].body.markdown).toBe(withId(fromTop));
  });

  test('a reusable content', async () => {
    await edit(spaceId, [{ updateReusableContent: { reusableContentId: reusableId, document: { markdown: named } } }]);
    const { body } = await editor.get(`/v1/spaces/${spaceId}/content/reusable-contents/${reusableId}`);
    const query = 'query($id: ID!) { space(id: $id) { revision { reusableContents { nodes { markdown } } } } }';
    const { space } = await editor.graphql(query, { id: spaceId });
    expect([body.id, space.revision.reusableContents.nodes[0].markdown]).toEqual([reusableId, withId(fromTop)]);
  });

  test('an import, by absolute URLs; relative ones refer to the imported files', async () => {
    const { importInto, upload } = importing(here);
    const app = `${publicUrl}/app/spaces/${spaceId}/pages/${page.Setup}`;
    const text = `# Brought\n\n[a](${app}#one) ![b](${download['one.png']}) ![c](${app}) [d](other.md)\n`;
    const bytes = await zipOf({ 'README.md': text, 'other.md': '# Other\n' });
    expect((await importInto(spaceId, (await upload(bytes)).url, 'zip')).status).toBe(201);
    const path = `/v1/spaces/${spaceId}/content/path/brought`;
    const { markdown } = (await editor.get(`${path}?format=markdown&format.markdown.refs=stable`)).body;
    expect(withoutTitle(markdown)).toMatch(
      new RegExp(
        `^\\[a\\]\\(/pages/${page.Setup}#one\\) !\\[b\\]\\(/files/${file['one.png']}\\) !\\[c\\]\\(${app}\\) \\[d\\]\\(/pages/page_`,
      ),
    );
  });
});
