import { beforeAll, describe, expect, test } from 'vitest';
import { world } from '../../world.ts';
import { aSpace } from '../editing/arrange.ts';

const { admin, editor, reader, organizationId } = await world();
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let spaceId = '';
let pageId = '';
let otherId = '';
let farId = '';
let fileId = '';
let reusableId = '';
let collectionId = '';
let farSpaceId = '';

const edit = (space: string, changes: unknown[]) =>
  editor.mutate(
    'updateSpaceContent',
    { spaceId: space, changes },
    'revision { id } pageIds insertedReusableContents { reusableContentId } insertedFiles { fileId }',
  );
const base = () => `/v1/spaces/${spaceId}/content`;
const headId = async () => (await reader.get(base())).body.id as string;

/** A page over REST as Markdown, with references in a form. */
async function read(form: string, id = pageId): Promise<string> {
  const refs = form === '' ? '' : `&format.markdown.refs=${form}`;
  return (await reader.get(`${base()}/page/${id}?format=markdown${refs}`)).body.markdown;
}

/** Writes Markdown over REST. */
async function write(markdown: string, more: Record<string, unknown> = {}, id = pageId): Promise<void> {
  const changes = [{ operation: 'update_page', page: id, document: { markdown }, ...more }];
  expect((await editor.post(base(), { changes })).status).toBe(200);
}

const inGraph = async (id = pageId): Promise<string> =>
  (
    await reader.graphql(
      'query ($id: ID!, $page: ID!) { space(id: $id) { revision { page(pageId: $page) { ... on DocumentPage { markdown } } } } }',
      { id: spaceId, page: id },
    )
  ).space.revision.page.markdown;

beforeAll(async () => {
  ({ spaceId, pageId } = await aSpace(admin, organizationId));
  const far = await aSpace(admin, organizationId);
  [farSpaceId, farId] = [far.spaceId, far.pageId];
  collectionId = (await admin.post(`/v1/orgs/${organizationId}/collections`, { title: 'Shelf' })).body.id;
  const spec = { slug: 'pets', source: { text: '{"openapi":"3.1.0","info":{"title":"P","version":"1"},"paths":{}}' } };
  expect((await admin.post(`/v1/orgs/${organizationId}/openapi`, spec)).status).toBeLessThan(300);
  const made = await edit(spaceId, [
    { insertPage: { title: 'Other', parentId: pageId, document: { markdown: '## Tips & Tricks' } } },
    { insertFiles: { files: [{ name: 'dot.png', base64: PIXEL }] } },
    { insertReusableContent: { title: 'Shared', document: { markdown: 'Shared.' } } },
    { updatePage: { pageId, title: 'The [Start] & *more*' } },
  ]);
  otherId = made.pageIds.find((id: string) => id !== pageId);
  fileId = made.insertedFiles[0].fileId;
  reusableId = made.insertedReusableContents[0].reusableContentId;
});

/** References of all kinds, as the older form has them, and URLs that only look like references. */
const references = () => `
Own [page](page:${otherId}), [anchor](page:${otherId}#tips--tricks), [here](#x) and ![dot](file:${fileId}).

[Far](space:${farSpaceId}/page:${farId}), [part](space:${farSpaceId}/page:${farId}#a%20b), [space](space:${farSpaceId}),
[shelf](collection:${collectionId}), [somebody](user:${reader.userId}), [pets](openapi:pets).

[me](/users/me) [zip](/files/a.zip) [nothing](/openapi/nothing) [absent](/pages/page_1) [far](https://a.example/pages/${otherId})
[literal](url:/pages/${otherId}) [spec](url:/openapi/pets)

{% content-ref url="page:${otherId}" %}
[other](page:${otherId})
{% endcontent-ref %}

{% include "reusable:${reusableId}" %}
`;

const FORMS = ['', 'relative', 'stable', 'written'];

describe('Markdown that is read over REST', () => {
  test.each([
    ['written as Markdown', async () => write(references())],
    [
      'written as a document',
      async () => {
        await write(references());
        const { document } = (await reader.get(`${base()}/page/${pageId}`)).body;
        await write('Something else.');
        await edit(spaceId, [{ updatePage: { pageId, document: { document } } }]);
      },
    ],
  ])('and is written back changes nothing, %s', async (_how, arrange) => {
    await arrange();
    const { document } = (await reader.get(`${base()}/page/${pageId}`)).body;
    const head = await headId();
    for (const form of FORMS) {
      const markdown = await read(form);
      await write(markdown);
      expect([form, (await reader.get(`${base()}/page/${pageId}`)).body.document]).toEqual([form, document]);
      expect([form, await headId(), await read(form)]).toEqual([form, head, markdown]);
    }
  });

  test('has stable references as paths, which the older forms mean as well', async () => {
    await write(references());
    const { document } = (await reader.get(`${base()}/page/${pageId}`)).body;
    const markdown = await read('stable');
    for (const path of [
      `[page](/pages/${otherId})`,
      `[anchor](/pages/${otherId}#tips--tricks)`,
      '[here](#x)',
      `![dot](/files/${fileId})`,
      `[Far](/spaces/${farSpaceId}/pages/${farId})`,
      `[part](/spaces/${farSpaceId}/pages/${farId}#a%20b)`,
      `[space](/spaces/${farSpaceId})`,
      `[shelf](/collections/${collectionId})`,
      `[somebody](/users/${reader.userId})`,
      '[pets](/openapi/pets)',
      '[me](/users/me)',
      '[zip](/files/a.zip)',
      '[nothing](/openapi/nothing)',
      '[absent](/pages/page_1)',
      `{% content-ref url="/pages/${otherId}" %}`,
      `{% include "/reusable-content/${reusableId}" %}`,
    ]) {
      expect(markdown).toContain(path);
    }
    await write(markdown.replaceAll(new RegExp(`(?<=[("[])/pages/${otherId}`, 'g'), `page:${otherId}`));
    expect((await reader.get(`${base()}/page/${pageId}`)).body.document).toEqual(document);
  });

  test('begins with the title, which is left out where it is written, and another heading is not', async () => {
    const title = '# The \\[Start] & \\*more\\*';
    await write('Text.\n');
    expect(await read('')).toBe(`${title}\n\nText.\n`);
    expect(await inGraph()).toBe('Text.\n');
    await write('# The [Start] & *more*\nText 2.\n');
    expect(await inGraph()).toBe('Text 2.\n');
    await write('# Another\n\nText.\n');
    expect(await inGraph()).toBe('# Another\n\nText.\n');
    expect(await read('')).toBe(`${title}\n\n# Another\n\nText.\n`);
    const twice = `${title}\n\n${title}\n\nText.\n`;
    await write(twice);
    expect(await read('')).toBe(twice);
    expect(await inGraph()).toBe(`${title}\n\nText.\n`);
    await write(twice, { omitTitle: false });
    expect(await inGraph()).toBe(twice);
    await edit(spaceId, [{ updatePage: { pageId, document: { markdown: twice } } }]);
    expect(await inGraph()).toBe(twice);
    await write('');
    expect(await read('')).toBe(`${title}\n\n`);
    await write(await read(''));
    expect(await inGraph()).toBe('');
  });

  test('knows the title that the same request gives, and that of a new page', async () => {
    await write('# Renamed\n\nText.\n', { title: 'Renamed' });
    expect(await inGraph()).toBe('Text.\n');
    const changes = [
      { operation: 'insert_page', ref: 'new', title: 'New', document: { markdown: '# New\r\n\r\nA.' } },
      { operation: 'update_page', page: 'new', document: { markdown: '# New\n\nB.\n' } },
    ];
    const { body } = await editor.post(base(), { changes });
    const made = body.changes.find(({ object }: { object: string }) => object === 'created_page');
    const id = made.page?.id ?? made.page ?? made.id;
    expect(await inGraph(id)).toBe('B.\n');
  });

  test('of a published page shows its title once', async () => {
    await write('# Renamed\n\nText.\n', { title: 'Renamed', omitTitle: false });
    const site = (await admin.post(`/v1/orgs/${organizationId}/sites`, { title: 'Once', spaces: [spaceId] })).body;
    await admin.post(`/v1/orgs/${organizationId}/sites/${site.id}/publish`);
    const { urls } = (await admin.get(`/v1/orgs/${organizationId}/sites/${site.id}`)).body;
    const { pathname } = new URL(urls.published);
    const { path } = (await reader.get(`${base()}/page/${pageId}`)).body;
    const text = await (await fetch(`${admin.url}${pathname}${path}.md`)).text();
    expect(text).toBe('# Renamed\n\nText.\n');
  });
});
