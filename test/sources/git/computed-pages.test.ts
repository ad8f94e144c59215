import { beforeAll, expect, test } from 'vitest';
import { world } from '../../world.ts';
import { pets, specifying } from '../openapi/arrange.ts';
import { edit, gitServer, newSpace, pageAt, pagesIn, sync } from './arrange.ts';

const here = await world({ ALLOW_PRIVATE_NETWORK: '1', WORKERS: '1' });
const { admin, organizationId } = here;
const server = await gitServer();
const { put } = specifying(here);

const FILES = {
  'README.md': '# Home\n\nFirst.\n',
  'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n\n## Section\n\n* [First](first.md)\n* [Last](last.md)\n',
  'first.md': '# First\n\nText.\n',
  'last.md': '# Last\n\nText.\n',
};

const computed = {
  type: 'builtin:openapi',
  props: { grouping: 'by-operation', models: true },
  dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
};

beforeAll(async () => {
  await put('pets', { text: pets() });
});

let names = 0;
/** A space whose reference is between two pages of a section, and at the end of the top level. */
async function withReference() {
  const repository = await server.repository(`computed-${names++}`);
  await repository.commit(FILES);
  const spaceId = await newSpace(admin, organizationId);
  await sync(admin, spaceId, 'import', { url: repository.url });
  const section = await pageAt(admin, spaceId, 'section');
  const first = await pageAt(admin, spaceId, 'section/first');
  await edit(admin, spaceId, [
    { insertPage: { kind: 'COMPUTED', title: 'Inside', parentId: section, position: { afterId: first }, computed } },
    { insertPage: { kind: 'COMPUTED', title: 'Reference', computed } },
  ]);
  return { repository, spaceId, url: repository.url };
}

const revisionOf = async (spaceId: string) => (await admin.get(`/v1/spaces/${spaceId}`)).body.revision;

test('pages of a computed page are not exported, and links to them have their ID', async () => {
  const { repository, spaceId, url } = await withReference();
  const pageId = await pageAt(admin, spaceId, 'reference/pets/getpet');
  const home = await pageAt(admin, spaceId, 'home');
  const before = await pagesIn(admin, spaceId);
  const first = await sync(admin, spaceId, 'export', { url });
  expect(first).toMatchObject({ status: 'completed', filesChanged: 0 });
  expect(first.report.map(({ message }: { message: string }) => message)).toContain(
    'The computed page was not exported.',
  );
  expect(await repository.log()).toHaveLength(1);
  const ref = { kind: 'page', page: pageId };
  const leaf = { object: 'text', leaves: [{ object: 'leaf', text: 'a pet', marks: [] }] };
  const link = { object: 'inline', type: 'link', data: { ref }, nodes: [leaf] };
  const nodes = [{ object: 'block', type: 'paragraph', data: {}, nodes: [link] }];
  await edit(admin, spaceId, [
    { updatePage: { pageId: home, document: { document: { object: 'document', data: {}, nodes } } } },
  ]);
  expect(await sync(admin, spaceId, 'export', { url })).toMatchObject({ status: 'completed', filesChanged: 1 });
  const files = await repository.files();
  expect(Object.keys(files).toSorted()).toEqual(Object.keys(FILES).toSorted());
  expect(files['README.md']).toContain(pageId);
  await repository.commit({ 'first.md': '# First\n\nOther text.\n' });
  await sync(admin, spaceId, 'import', { url });
  expect(await pagesIn(admin, spaceId)).toEqual(before);
  const { body } = await admin.get(`/v1/spaces/${spaceId}/links`);
  expect(body.items.map(({ status }: { status: string }) => status)).toEqual(['ok']);
});

test('an import after an export leaves computed pages where and as they are', async () => {
  const { repository, spaceId, url } = await withReference();
  const before = await pagesIn(admin, spaceId);
  expect(before.map(({ path }) => path)).toContain('section/inside/pets/getpet');
  const inside = await pageAt(admin, spaceId, 'section/inside');
  await sync(admin, spaceId, 'export', { url });
  const revision = await revisionOf(spaceId);
  await sync(admin, spaceId, 'import', { url });
  await sync(admin, spaceId, 'export', { url });
  expect(await revisionOf(spaceId)).toBe(revision);
  expect(await repository.log()).toHaveLength(1);
  await repository.commit({ 'last.md': '# Last\n\nOther text.\n' });
  await sync(admin, spaceId, 'import', { url });
  expect(await pagesIn(admin, spaceId)).toEqual(before);
  const page = await admin.get(`/v1/spaces/${spaceId}/content/page/${inside}?computed=false`);
  expect(page.body).toMatchObject({ computed: { type: 'builtin:openapi', props: computed.props } });
});

test('a computed page survives the removal of its section from the branch', async () => {
  const { repository, spaceId, url } = await withReference();
  await sync(admin, spaceId, 'export', { url });
  await repository.commit({ 'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n' });
  await sync(admin, spaceId, 'import', { url });
  const paths = (await pagesIn(admin, spaceId)).map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['home', 'inside', 'inside/pets/getpet', 'reference/pets/getpet']));
  expect(paths).not.toContain('section');
});

test('a repository without a table of contents stays without one', async () => {
  const repository = await server.repository(`computed-${names++}`);
  await repository.commit({ 'README.md': '# Home\n', 'first.md': '# First\n' });
  const spaceId = await newSpace(admin, organizationId);
  await sync(admin, spaceId, 'import', { url: repository.url });
  await edit(admin, spaceId, [{ insertPage: { kind: 'COMPUTED', title: 'Reference', computed } }]);
  expect(await sync(admin, spaceId, 'export', { url: repository.url })).toMatchObject({
    status: 'completed',
    filesChanged: 0,
  });
});
