import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';

const { app, admin, editor, commenter, outsider, anonymous, organizationId } = await world();

async function newSpace(empty = false): Promise<string> {
  const input = { organizationId, title: 'Docs', empty };
  return (await admin.mutate('createSpace', input, 'space { id }')).space.id;
}

const apply = (spaceId: string, template: string, by = editor, params?: unknown) =>
  by.post(`/v1/spaces/${spaceId}/content/template`, { id: template, ...(params ? { params } : {}) });

const titlesOf = async (spaceId: string) => {
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/pages`);
  return body.pages.map(({ title }: { title: string }) => title);
};

const markdownOf = async (spaceId: string, path: string) =>
  withoutTitle(
    (await admin.get(`/v1/spaces/${spaceId}/content/path/${encodeURIComponent(path)}?format=markdown`)).body.markdown,
  );

test.each([
  ['blank', ['Untitled']],
  ['docs', ['Welcome', 'Quick start', 'Guides', 'Reference']],
  ['api', ['Overview', 'First request', 'Basics']],
  ['changelog', ['Changelog', 'Releases']],
])('%s: replaces the empty page of a new space', async (template, titles) => {
  const spaceId = await newSpace();
  const answer = await apply(spaceId, template);
  expect([answer.status, answer.body]).toEqual([201, '']);
  expect(await titlesOf(spaceId)).toEqual(titles);
});

test('adds pages after existing ones', async () => {
  const spaceId = await newSpace(true);
  const changes = [{ insertPage: { title: 'Mine' } }];
  await editor.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id }');
  expect((await apply(spaceId, 'changelog')).status).toBe(201);
  expect(await titlesOf(spaceId)).toEqual(['Mine', 'Changelog', 'Releases']);
});

test('keeps the only page of a duplicate, unless it is as empty as that of a new space', async () => {
  const spaceId = await newSpace();
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/pages`);
  const description = 'A landing page.';
  const changes = [{ updatePage: { pageId: body.pages[0].id, title: 'Landing', description } }];
  const duplicate = async () => {
    const { space } = await admin.mutate('duplicateSpace', { spaceId }, 'space { id }');
    expect((await apply(space.id, 'changelog')).status).toBe(201);
    return titlesOf(space.id);
  };
  expect(await duplicate()).toEqual(['Changelog', 'Releases']);
  await editor.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id }');
  expect(await duplicate()).toEqual(['Landing', 'Changelog', 'Releases']);
});

test('does not wait for imports of other organizations', async () => {
  const { services } = app;
  const ctx = jobContext(services, 'test');
  const importing = (of: string) => services.heavyWork.begin('import', { ctx, organizationId: of });
  // The lane of imports has two slots.
  using _first = await importing('org_first');
  using _second = await importing('org_second');
  expect((await apply(await newSpace(), 'docs')).status).toBe(201);
});

test('links its pages to each other, and leaves no open links', async () => {
  for (const template of ['docs', 'api', 'changelog']) {
    const spaceId = await newSpace();
    await apply(spaceId, template);
    const { body } = await admin.get(`/v1/spaces/${spaceId}/content/pages`);
    const paths = body.pages.flatMap(({ path, pages = [] }: { path: string; pages?: { path: string }[] }) => [
      path,
      ...pages.map((page) => page.path),
    ]);
    for (const path of paths) {
      const markdown = await markdownOf(spaceId, path);
      expect(markdown).not.toMatch(/ref:|See also|page:/);
      for (const [, link = ''] of markdown.matchAll(/\]\(([^)#:]+)\)/g)) {
        const target = new URL(link, `http://x/${path}`).pathname.slice(1).replace(/\.md$/, '');
        expect(paths).toContain(target);
      }
    }
  }
});

test('uses the given targets for open links', async () => {
  const spaceId = await newSpace();
  const contentRefs = {
    api: { kind: 'url', url: 'https://api.example.com/' },
    changelog: { kind: 'space', space: 'space_other' },
    nothing: { kind: 'url', url: 'https://nobody.example.com/' },
  };
  expect((await apply(spaceId, 'docs', editor, { contentRefs })).status).toBe(201);
  const markdown = await markdownOf(spaceId, 'welcome');
  expect(markdown).toContain('[API reference](https://api.example.com/)');
  expect(markdown).toContain('[what changed lately](space:space_other)');
});

test('is a mutation that returns the space and its revision, and runs once per idempotency key', async () => {
  const spaceId = await newSpace();
  const input = { spaceId, templateId: 'blank', idempotencyKey: 'once' };
  const selection = 'space { id revision { id pages { ... on PageNode { title } } } } revision { id }';
  const first = await editor.mutate('applySpaceTemplate', input, selection);
  expect(first.space.revision).toEqual({ id: first.revision.id, pages: [{ title: 'Untitled' }] });
  expect(await editor.mutate('applySpaceTemplate', input, selection)).toEqual(first);
});

test('is tried with dryRun, on both transports: the pages are shown, and nothing is written', async () => {
  const spaceId = await newSpace(true);
  const { body: before } = await editor.get(`/v1/spaces/${spaceId}/content`);
  const path = `/v1/spaces/${spaceId}/content/template`;
  const tried = await editor.post(path, { id: 'changelog', dryRun: true });
  expect([tried.status, tried.body]).toMatchObject([200, { revision: before.id, preview: { pagesCount: 4 } }]);
  expect(tried.body.preview.pages.slice(0, 2)).toMatchObject([
    { title: 'Changelog', effect: 'created' },
    { title: 'Releases', effect: 'created' },
  ]);
  const input = { spaceId, templateId: 'changelog', dryRun: true, idempotencyKey: 'tried' };
  const selection = 'revision { id } preview { pagesCount brokenLinksCount }';
  const inGraph = await editor.mutate('applySpaceTemplate', input, selection);
  expect(inGraph).toMatchObject({ revision: { id: before.id }, preview: { pagesCount: 4, brokenLinksCount: 0 } });
  expect(await titlesOf(spaceId)).toEqual([]);
  const applied = await editor.mutate('applySpaceTemplate', { ...input, dryRun: false }, selection);
  expect(applied).toMatchObject({ revision: { id: expect.not.stringMatching(before.id) }, preview: null });
  expect(await titlesOf(spaceId)).toEqual(['Changelog', 'Releases']);
  expect((await commenter.post(path, { id: 'docs', dryRun: true })).status).toBe(403);
  await admin.mutate('updateSpace', { spaceId, editMode: 'LOCKED' }, 'space { id }');
  expect((await editor.post(path, { id: 'docs', dryRun: true })).status).toBe(409);
});

test('rejects callers without permission, unknown templates and locked spaces', async () => {
  const spaceId = await newSpace();
  const codes = async (by: typeof editor, template: string, params?: unknown) =>
    (await apply(spaceId, template, by, params)).status;
  expect(await codes(anonymous, 'docs')).toBe(401);
  expect(await codes(outsider, 'docs')).toBe(404);
  expect(await codes(commenter, 'docs')).toBe(403);
  expect(await codes(commenter, 'docs', { contentRefs: 3 })).toBe(403);
  expect(await codes(editor, 'nothing')).toBe(404);
  expect(await codes(editor, '../templates')).toBe(404);
  expect(await codes(editor, 'docs', { contentRefs: { api: { kind: 'url', url: 'javascript:alert(1)' } } })).toBe(400);
  expect((await editor.post(`/v1/spaces/${spaceId}/content/template`, {})).status).toBe(400);
  expect((await apply(newId('space'), 'docs')).status).toBe(404);
  await admin.mutate('updateSpace', { spaceId, editMode: 'LOCKED' }, 'space { id }');
  expect(await codes(editor, 'docs')).toBe(409);
  await expect(
    editor.mutate('applySpaceTemplate', { spaceId, templateId: 'docs' }, 'revision { id }'),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
});
