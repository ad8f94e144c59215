import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { pets } from '../openapi/arrange.ts';
import { translating } from './arrange.ts';

const here = await world();
const { admin, organizationId } = here;
const { all, create, makeSpace, page, run, work, write } = translating(here);

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

/**
 * Writes pages each below the one before, the deepest first: then parents come after their children in the order of
 * ids.
 */
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

test('pages with a condition, and those below them, stay in the translation with what people wrote there', async () => {
  const { spaceId, pageIds } = await makeSpace({ Open: 'Open words.', Closed: 'Closed words.', Below: 'Words below.' });
  const [closed, below] = [pageIds.Closed as string, pageIds.Below as string];
  const change = (inSpace: string, updatePage: object) =>
    admin.mutate('updateSpaceContent', { spaceId: inSpace, changes: [{ updatePage }] }, 'revision { id }');
  await change(spaceId, { pageId: below, parentId: closed });
  const { translationId, translatedId } = await create(spaceId);
  const textsInTranslation = () =>
    Promise.all([closed, below].map(async (pageId) => (await page(translatedId, pageId)).markdown.trim()));
  await work(translationId);
  await write(translatedId, closed, 'Von Hand.');
  await write(translatedId, below, 'Darunter von Hand.');
  await run(translationId);
  await change(spaceId, { pageId: closed, condition: 'visitor.claims.beta == true' });
  await run(translationId);
  expect(await treeOf(translatedId)).toEqual(await treeOf(spaceId));
  expect(await textsInTranslation()).toEqual(['Von Hand.', 'Darunter von Hand.']);
  const other = await create(spaceId, 'fr');
  await work(other.translationId);
  expect(await treeOf(other.translatedId)).toEqual(await treeOf(spaceId));
});

test('what people restored and wrote in the translation stays when the source has the page or block again', async () => {
  const { spaceId, pageIds } = await makeSpace({
    One: 'First words.\n\nMore words.',
    Two: 'Second words. Same words.\n\nLast words.',
  });
  const [one, two] = [pageIds.One as string, pageIds.Two as string];
  const change = (inSpace: string, ...changes: object[]) =>
    admin.mutate('updateSpaceContent', { spaceId: inSpace, changes }, 'revision { id }');
  const { translationId, translatedId } = await create(spaceId);
  const textsInTranslation = () =>
    Promise.all([one, two].map(async (pageId) => (await page(translatedId, pageId)).markdown.trim()));
  const revisionOf = async (id: string) => (await admin.get(`/v1/spaces/${id}/content`)).body.id;
  await work(translationId);
  const [source, translated] = [await revisionOf(spaceId), await revisionOf(translatedId)];
  await change(spaceId, { deletePage: { pageId: two } });
  await write(spaceId, one, 'First words.');
  await run(translationId);
  expect((await admin.get(`/v1/spaces/${translatedId}/content/page/${two}`)).status).toBe(404);
  for (const pageId of [one, two]) await change(translatedId, { revertPage: { pageId, revisionId: translated } });
  await write(translatedId, one, '⟦Ƒîřšţ ŵôřđš.⟧\n\nMehr von Hand.');
  await write(translatedId, two, 'Von Hand. ⟦Šàɱé ŵôřđš.⟧\n\n⟦Ļàšţ ŵôřđš.⟧');
  await change(translatedId, { updatePage: { pageId: two, title: 'Zwei', description: 'Beschreibung.' } });
  for (const pageId of [one, two]) await change(spaceId, { revertPage: { pageId, revisionId: source } });
  const condition = 'visitor.claims.beta == true';
  await change(spaceId, { updatePage: { pageId: two, description: 'Description.', condition } });
  await run(translationId);
  expect(await textsInTranslation()).toEqual([
    '⟦Ƒîřšţ ŵôřđš.⟧\n\nMehr von Hand.',
    'Von Hand. ⟦Šàɱé ŵôřđš.⟧\n\n⟦Ļàšţ ŵôřđš.⟧',
  ]);
  expect(await page(translatedId, two)).toMatchObject({ title: 'Zwei', description: 'Beschreibung.', condition });
  await write(spaceId, two, 'Second words. Same words.\n\nOther words.');
  await run(translationId);
  expect((await textsInTranslation())[1]).toBe('Von Hand. ⟦Šàɱé ŵôřđš.⟧\n\n⟦Ôţĥéř ŵôřđš.⟧');
  await write(spaceId, two, 'New words. Same words.\n\nOther words.');
  await run(translationId);
  expect((await admin.get(`${all}/${translationId}/reviews`)).body.items).toMatchObject([
    { page: two, source: 'Second words.', translation: 'Von Hand.', newSource: 'New words.' },
  ]);
});

test('people edit pages that have a condition in the translation only', async () => {
  const { spaceId, pageIds } = await makeSpace({ Open: 'Open words.', Closed: 'Closed words. Same words.' });
  const pageId = pageIds.Closed as string;
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  const changes = [{ updatePage: { pageId, condition: 'visitor.claims.beta == true' } }];
  await admin.mutate('updateSpaceContent', { spaceId: translatedId, changes }, 'revision { id }');
  await run(translationId);
  await write(translatedId, pageId, 'Von Hand. ⟦Šàɱé ŵôřđš.⟧');
  await write(spaceId, pageId, 'Closed words. More words.');
  await run(translationId);
  expect((await page(translatedId, pageId)).markdown.trim()).toBe('Von Hand. ⟦Ṁôřé ŵôřđš.⟧');
});
