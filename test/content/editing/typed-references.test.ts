import { beforeAll, expect, test } from 'vitest';
import { world } from '../../world.ts';

const { admin, editor, organizationId } = await world();

let spaceId: string;
let targetId: string;

beforeAll(async () => {
  spaceId = (await admin.mutate('createSpace', { organizationId, title: 'Docs' }, 'space { id }')).space.id;
  [targetId] = (await edit([{ insertPage: { title: 'Target' } }])).pageIds;
});

const edit = (changes: unknown[]) =>
  editor.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds insertedFiles { fileId }');

const inRest = async (pageId: string) => (await editor.get(`/v1/spaces/${spaceId}/content/page/${pageId}`)).body;

const metaLinks = async (pageId: string) =>
  (await editor.get(`/v1/spaces/${spaceId}/content/page/${pageId}/meta-links`)).body;

const byUrl = { kind: 'url', url: 'https://acme.example/a' };

test('typed references are stored as those in JSON are, with ids instead of refs', async () => {
  const url = 'https://acme.example/a';
  const { pageIds, insertedFiles } = await edit([
    { insertFiles: { files: [{ name: 'dark.txt', base64: 'YQ==', ref: 'dark' }] } },
    { insertPage: { title: 'Later', ref: 'later' } },
    { insertPage: { kind: 'LINK', title: 'Link', targetReference: { page: { pageId: 'later' } } } },
    {
      insertPage: {
        title: 'Typed',
        cover: { reference: { url }, referenceDark: { fileId: 'dark' }, height: 300 },
        metaLinks: {
          canonicalReference: { page: { pageId: targetId, spaceId } },
          alternateReferences: [{ url }, { page: { pageId: 'later' } }],
        },
      },
    },
  ]);
  const [later, link, typed] = pageIds;
  expect((await inRest(link)).target).toEqual({ kind: 'page', page: later });
  expect((await inRest(typed)).cover).toEqual({
    ref: byUrl,
    refDark: { kind: 'file', file: insertedFiles[0].fileId },
    yPos: 0,
    height: 300,
  });
  expect(await metaLinks(typed)).toEqual({
    canonical: { kind: 'page', page: targetId, space: spaceId },
    alternates: [byUrl, { kind: 'page', page: later }],
  });
});

test('an update replaces a target by a typed one, and keeps it if none is given', async () => {
  const [pageId] = (await edit([{ insertPage: { kind: 'LINK', title: 'Link', target: byUrl } }])).pageIds;
  const anchor = { anchor: { anchor: 'top', pageId: targetId } };
  await edit([{ updatePage: { pageId, targetReference: anchor } }]);
  const target = { kind: 'anchor', anchor: 'top', page: targetId };
  expect((await inRest(pageId)).target).toEqual(target);
  await edit([{ updatePage: { pageId, title: 'Renamed' } }]);
  expect((await inRest(pageId)).target).toEqual(target);
});

test('null in the place of a typed target is null in the place of the target', async () => {
  const [pageId] = (await edit([{ insertPage: { kind: 'LINK', title: 'Link', target: byUrl } }])).pageIds;
  await edit([{ updatePage: { pageId, target: byUrl, targetReference: null } }]);
  expect((await inRest(pageId)).target).toEqual(byUrl);
  const outcome = (change: object) => edit([{ updatePage: { pageId, ...change } }]).then(() => 'done', String);
  const typed = await outcome({ targetReference: null });
  const afterwards = await inRest(pageId);
  await edit([{ updatePage: { pageId, target: byUrl } }]);
  expect(typed).toBe(await outcome({ target: null }));
  expect(afterwards.target).toEqual((await inRest(pageId)).target);
});

const typedUrl = { url: byUrl.url };

test.each([
  ['target', { target: byUrl, targetReference: typedUrl }, ['targetReference']],
  ['ref', { cover: { ref: byUrl, reference: typedUrl } }, ['cover', 'reference']],
  ['refDark', { cover: { refDark: byUrl, referenceDark: typedUrl } }, ['cover', 'referenceDark']],
  ['canonical', { metaLinks: { canonical: byUrl, canonicalReference: typedUrl } }, ['metaLinks', 'canonicalReference']],
  ['alternates', { metaLinks: { alternates: [byUrl], alternateReferences: [] } }, ['metaLinks', 'alternateReferences']],
])('`%s` in JSON and a typed reference beside it are rejected', async (json, fields, path) => {
  const message = `cannot be set together with \`${json}\`.`;
  for (const change of [
    { insertPage: { title: 'Both', ...fields } },
    { updatePage: { pageId: targetId, ...fields } },
  ]) {
    const issue = { path: ['input', 'changes', 0, ...Object.keys(change), ...path], message, code: 'ONE_OF' };
    await expect(edit([change])).rejects.toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT', issues: [issue] } }],
    });
  }
});

test.each([
  ['a URL that runs code', { cover: { reference: { url: 'javascript:1' } } }],
  ['a cover with two images', { cover: { reference: { url: '/a', fileId: 'file_1' } } }],
  ['a canonical page that is a file', { metaLinks: { canonicalReference: { fileId: 'file_1' } } }],
  ['too many alternates', { metaLinks: { alternateReferences: Array.from({ length: 101 }, () => typedUrl) } }],
  ['a target of no kind', { targetReference: {} }],
])('%s is rejected', async (_what, fields) => {
  await expect(edit([{ updatePage: { pageId: targetId, ...fields } }])).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
  });
});

test('REST has the references in JSON only, and ignores typed ones as it does other unknown properties', async () => {
  const { status, body } = await editor.post(`/v1/spaces/${spaceId}/content`, {
    changes: [
      {
        operation: 'insert_page',
        type: 'link',
        title: 'By REST',
        target: byUrl,
        targetReference: { page: { pageId: targetId } },
      },
      { operation: 'insert_page', title: 'Covered', cover: { ref: byUrl, reference: { url: '/other' } } },
    ],
  });
  expect(status).toBe(200);
  const [link, covered] = body.changes.map(({ page }: { page: { id: string } }) => page.id);
  expect((await inRest(link)).target).toEqual(byUrl);
  expect((await inRest(covered)).cover).toEqual({ ref: byUrl, yPos: 0 });
});
