import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { pets } from '../openapi/arrange.ts';
import { translating } from './arrange.ts';

const here = await world();
const { admin, organizationId } = here;
const { create, makeSpace, run, work } = translating(here);

interface ShownPage {
  id: string;
  type: string;
  hidden?: boolean;
  pages?: ShownPage[];
}

/** The pages of a space as they are stored, with their kinds and places. */
async function treeOf(spaceId: string): Promise<unknown[]> {
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/pages?computed=false`);
  const shape = (pages: ShownPage[]): unknown[] =>
    pages.map(({ id, type, hidden, pages: below = [] }) => [id, type, hidden ?? false, shape(below)]);
  return shape(body.pages);
}

async function insert(spaceId: string, pages: object[]): Promise<string[]> {
  const changes = pages.map((insertPage) => ({ insertPage }));
  return (await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds')).pageIds;
}

/** Writes pages each below the one before, the deepest first: then parents come after their children in the order of ids. */
async function insertChain(spaceId: string, group: string | undefined, title: string): Promise<string | undefined> {
  const titles = [5, 4, 3, 2, 1].map((depth) => ({ title: `${title}${depth}`, hidden: title === 'D' && depth === 3 }));
  const pageIds = await insert(spaceId, titles);
  const changes = pageIds.map((pageId, index) => ({ updatePage: { pageId, parentId: pageIds[index + 1] ?? group } }));
  await admin.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id }');
  return pageIds[0];
}

test('a translation has every page of its source at its place: groups, computed, hidden and nested pages', async () => {
  await admin.put(`/v1/orgs/${organizationId}/openapi/pets`, { source: { text: pets() } });
  const { spaceId } = await makeSpace({ Home: 'Home.' });
  const [group] = await insert(spaceId, [{ kind: 'GROUP', title: 'Group' }]);
  const computed = {
    type: 'builtin:openapi',
    props: { models: true },
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
  };
  for (const title of ['A', 'B', 'C', 'D']) {
    const parentId = await insertChain(spaceId, group, title);
    await insert(spaceId, [
      { kind: 'COMPUTED', title: 'API', parentId, computed },
      { kind: 'LINK', title: 'Elsewhere', parentId, target: { kind: 'url', url: 'https://example.com' } },
    ]);
  }
  const { translationId, translatedId } = await create(spaceId);
  const done = await work(translationId);
  expect(done).toMatchObject({ status: 'completed', progress: { pagesTotal: 30, pagesDone: 30 } });
  expect(await treeOf(translatedId)).toEqual(await treeOf(spaceId));
  expect((await run(translationId)).result.revision).toBe(done.result.revision);
});
