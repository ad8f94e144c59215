import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { ComputedPageLinks } from '../../../migrations/2026-11-23-computed-page-links.ts';
import { fetchPdf } from '../../content/pdf/fetch-pdf.ts';
import { linksIn, publishedSite, show } from '../../publishing/reader-world.ts';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { pets, petsWith, specifying } from './arrange.ts';

const here = await world({ WORKERS: '1' });
const { admin, app, editor, organizationId, outsider, reader } = here;
const { all, put } = specifying(here);

const computed = (spec: string, props: Record<string, unknown> = { grouping: 'by-operation' }) => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
});

const leaf = (text: string) => ({ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] });
const bodyOf = (...refs: unknown[]) => ({
  document: {
    object: 'document',
    data: {},
    nodes: refs.map((ref) => ({
      object: 'block',
      type: 'paragraph',
      data: {},
      nodes: [{ object: 'inline', type: 'link', data: { ref }, nodes: [leaf('there')] }],
    })),
  },
});

async function makeSpace(title: string) {
  const { space } = await admin.mutate('createSpace', { organizationId, title, empty: true }, 'space { id }');
  const spaceId = space.id as string;
  return {
    spaceId,
    edit: async (...changes: unknown[]) =>
      (await editor.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds')).pageIds as string[],
    /** The id of a page by its path. */
    at: async (path: string) =>
      (await reader.get(`/v1/spaces/${spaceId}/content/path/${encodeURIComponent(path)}`)).body.id as string,
    /** The statuses of all links over REST, then the number of broken ones by the counters. */
    async links() {
      const { items, stats } = (await reader.get(`/v1/spaces/${spaceId}/links`)).body;
      return [...items.map(({ status }: { status: string }) => status), stats.broken.total];
    },
  };
}

const without = (...paths: string[]) =>
  pets({ paths: Object.fromEntries(Object.entries(petsWith().paths).filter(([path]) => !paths.includes(path))) });

/** A space with a reference of a specification of its own, and the pages of an operation and of the tag. */
async function makeReference(slug: string, props?: Record<string, unknown>) {
  await put(slug, { text: pets() });
  const space = await makeSpace(slug);
  const [root = ''] = await space.edit({
    insertPage: { kind: 'COMPUTED', title: 'Reference', computed: computed(slug, props) },
  });
  const [tag, operation] = [await space.at('reference/pets'), await space.at('reference/pets/getpet')];
  return { ...space, slug, root, tag, operation };
}

let shared: Awaited<ReturnType<typeof makeReference>>;
beforeAll(async () => {
  shared = await makeReference('shared');
  await shared.edit(
    {
      insertPage: {
        title: 'Guide',
        document: bodyOf({ kind: 'page', page: shared.operation }, { kind: 'page', page: shared.tag }),
      },
    },
    { insertPage: { kind: 'LINK', title: 'Menu', target: { kind: 'page', page: shared.operation } } },
  );
});

const LINKS = `query ($id: ID!) { space(id: $id) { links(first: 10) {
  nodes { status targetReference { kind page { pageId title path } } } stats { total broken { total } } } } }`;

test('links to pages below a computed page are intact, and lead to them on both transports', async () => {
  expect(await shared.links()).toEqual(['ok', 'ok', 'ok', 0]);
  const { space } = await reader.graphql(LINKS, { id: shared.spaceId });
  expect(space.links.stats).toEqual({ total: 3, broken: { total: 0 } });
  const target = {
    kind: 'PAGE',
    page: { pageId: shared.operation, title: 'Get a pet', path: 'reference/pets/getpet' },
  };
  expect(space.links.nodes).toContainEqual({ status: 'OK', targetReference: target });
  const { items } = (await reader.get(`/v1/spaces/${shared.spaceId}/links`)).body;
  const pages = items.map(
    ({ targetReference }: { targetReference: { page: { id: string } } }) => targetReference.page.id,
  );
  expect(pages.toSorted()).toEqual([shared.operation, shared.operation, shared.tag].toSorted());
  const broken = await reader.get(`/v1/spaces/${shared.spaceId}/links?status=broken`);
  expect(broken.body.items).toEqual([]);
});

test('pages below a computed page have backlinks, on both transports', async () => {
  const at = `/v1/spaces/${shared.spaceId}/content/page/${shared.operation}`;
  const titles = (items: { page: { title: string } }[]) => items.map(({ page }) => page.title).toSorted();
  expect(titles((await reader.get(`${at}/backlinks`)).body.items)).toEqual(['Guide', 'Menu']);
  expect((await reader.get(`${at}/links`)).body.items).toEqual([]);
  expect((await outsider.get(`${at}/backlinks`)).status).toBe(404);
  const { space } = await reader.graphql(
    `query ($id: ID!, $page: ID!) { space(id: $id) { revision { page(pageId: $page) { backlinks(first: 5) {
      totalCount nodes { page { title } } } } } } }`,
    { id: shared.spaceId, page: shared.operation },
  );
  expect(space.revision.page.backlinks.totalCount).toBe(2);
  expect(titles(space.revision.page.backlinks.nodes)).toEqual(['Guide', 'Menu']);
});

test('a version without the operation breaks links to its page, and one with it mends them', async () => {
  const { edit, links, operation, slug, tag } = await makeReference('versions');
  await edit({
    insertPage: { title: 'Guide', document: bodyOf({ kind: 'page', page: operation }, { kind: 'page', page: tag }) },
  });
  expect(await links()).toEqual(['ok', 'ok', 0]);
  await put(slug, { text: without('/pets/{petId}') });
  expect(await links()).toEqual(['broken', 'ok', 1]);
  await put(slug, { text: pets() });
  expect(await links()).toEqual(['ok', 'ok', 0]);
  const renamed = JSON.parse(pets().replaceAll('"tags":["pets"]', '"tags":["animals"]'));
  await put(slug, { text: JSON.stringify({ ...renamed, tags: [] }) });
  expect(await links()).toEqual(['ok', 'broken', 1]);
  await put(slug, { text: pets().replace('"getPet"', '"readPet"') });
  expect(await links()).toEqual(['broken', 'ok', 1]);
});

test('links follow the properties of the computed page, its removal and that of the specification', async () => {
  const { at, edit, links, operation, root, slug, spaceId, tag } = await makeReference('properties', {
    grouping: 'by-operation',
    models: true,
    changelog: true,
  });
  const [models, changelog] = [await at('reference/models'), await at('reference/changelog')];
  const refs = [operation, tag, models, changelog].map((page) => ({ kind: 'page', page }));
  await edit({ insertPage: { title: 'Guide', document: bodyOf(...refs) } });
  expect(await links()).toEqual(['ok', 'ok', 'ok', 'ok', 0]);
  const shown = (props: Record<string, unknown>) =>
    edit({ updatePage: { pageId: root, computed: computed(slug, props) } });
  await shown({ models: true });
  expect(await links()).toEqual(['broken', 'ok', 'ok', 'broken', 2]);
  await shown({ grouping: 'by-operation', changelog: true });
  expect(await links()).toEqual(['ok', 'ok', 'broken', 'ok', 1]);
  const { body } = await reader.get(`/v1/spaces/${spaceId}`);
  await edit({ deletePage: { pageId: root } });
  expect(await links()).toEqual(['broken', 'broken', 'broken', 'broken', 4]);
  await edit({ revertPage: { pageId: root, revisionId: body.revision } });
  expect(await links()).toEqual(['ok', 'ok', 'broken', 'ok', 1]);
  expect((await admin.delete(`${all}/${slug}`)).status).toBe(204);
  expect(await links()).toEqual(['broken', 'broken', 'broken', 'broken', 4]);
});

test('links from another space are intact for those who can see the space of the computed page', async () => {
  const { operation, spaceId } = await makeReference('elsewhere');
  const from = await makeSpace('From');
  const ref = { kind: 'page', page: operation, space: spaceId };
  await from.edit({
    insertPage: { title: 'Guide', document: bodyOf(ref, { ...ref, kind: 'anchor', anchor: 'get-a-pet' }) },
  });
  expect(await from.links()).toEqual(['ok', 'ok', 0]);
  const { body } = await reader.get(`/v1/spaces/${spaceId}/content/page/${operation}/backlinks`);
  expect(body.items.map(({ page }: { page: { title: string } }) => page.title)).toEqual(['Guide']);
  await admin.patch(`/v1/spaces/${spaceId}`, { defaultLevel: null });
  expect(await from.links()).toEqual(['broken', 'broken', 2]);
});

test('pages of another organization are like absent ones', async () => {
  const mine = await outsider.mutate('createOrganization', { title: 'Other' }, 'organization { id }');
  const created = await outsider.mutate(
    'createSpace',
    { organizationId: mine.organization.id, title: 'Other', empty: true },
    'space { id }',
  );
  const spaceId = created.space.id;
  const own = { kind: 'page', page: shared.operation };
  const document = bodyOf(own, { ...own, space: shared.spaceId });
  await outsider.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ insertPage: { title: 'Guide', document } }] },
    'pageIds',
  );
  const { items, stats } = (await outsider.get(`/v1/spaces/${spaceId}/links`)).body;
  expect(items.map(({ status }: { status: string }) => status)).toEqual(['broken', 'broken']);
  expect(stats.broken.total).toBe(2);
});

test('a change request has the links of its own computed pages', async () => {
  const { edit, links, operation, root, slug, spaceId } = await makeReference('requests');
  await edit({ insertPage: { title: 'Guide', document: bodyOf({ kind: 'page', page: operation }) } });
  const { body: request } = await editor.post(`/v1/spaces/${spaceId}/change-requests`, { subject: 'Tags' });
  const statuses = async () => {
    const { items, stats } = (await reader.get(`/v1/spaces/${spaceId}/change-requests/${request.id}/links`)).body;
    return [...items.map(({ status }: { status: string }) => status), stats.broken.total, stats.broken.changeRequest];
  };
  const change = (changes: unknown[]) =>
    editor.mutate('updateChangeRequestContent', { changeRequestId: request.id, changes }, 'pageIds');
  await change([{ updatePage: { pageId: root, title: 'Renamed' } }]);
  expect(await statuses()).toEqual(['ok', 0, 0]);
  await change([{ updatePage: { pageId: root, computed: computed(slug, {}) } }]);
  expect(await statuses()).toEqual(['broken', 1, 1]);
  await change([{ deletePage: { pageId: root } }]);
  expect(await statuses()).toEqual(['broken', 1, 1]);
  expect(await links()).toEqual(['ok', 0]);
  const merged = await admin.post(`/v1/spaces/${spaceId}/change-requests/${request.id}/merge`, {});
  expect(merged.status).toBe(200);
  expect(await links()).toEqual(['broken', 1]);
});

test('Markdown, the published site and PDFs link to the page', async () => {
  const guide = `/v1/spaces/${shared.spaceId}/content/path/guide`;
  expect(withoutTitle((await reader.get(`${guide}?format=markdown`)).body.markdown)).toContain(
    '[there](reference/pets/getpet.md)',
  );
  const site = await publishedSite(admin, organizationId, { title: 'Shared', spaces: [shared.spaceId] });
  expect(linksIn(await show(site.at('guide')))).toEqual(
    expect.arrayContaining([`${site.base}/reference/pets/getpet`, `${site.base}/reference/pets`]),
  );
  expect((await show(site.at('reference/pets/getpet'))).status).toBe(200);
  expect((await show(site.at('guide.md'))).text).toMatch(/\[there\]\(http[^)]*\/reference\/pets\/getpet\.md\)/);
  const { body } = await reader.get(`/v1/spaces/${shared.spaceId}/pdf`);
  const { pathname, search } = new URL(body.url);
  const pdf = await fetchPdf(`${here.url}${pathname}${search}`);
  expect(Buffer.from(await pdf.arrayBuffer()).toString('latin1')).toMatch(new RegExp(`/GoTo[^>]*${shared.operation}`));
});

test('the migration finds the pages of versions from before it', async () => {
  const { db } = app.services;
  const { count } = await db
    .selectFrom('openapi_spec_version')
    .where(sql<boolean>`page_keys <> '{}'`)
    .select(db.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBeGreaterThan(0);
  await db.updateTable('openapi_spec_version').set({ pageKeys: [] }).execute();
  expect(await shared.links()).toEqual(['broken', 'broken', 'broken', 3]);
  const migration = new ComputedPageLinks(app.services.em.getDriver(), app.services.em.config);
  await migration.up();
  expect(await shared.links()).toEqual(['ok', 'ok', 'ok', 0]);
});
