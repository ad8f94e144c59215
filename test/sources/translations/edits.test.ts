import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { translating } from './arrange.ts';

const here = await world();
const { admin, editor, reader, outsider } = here;
const { all, db, makeSpace, write, create, work, run, page } = translating(here);

/** Changes a page of a translated space in a change request, and merges it. */
const edit = (spaceId: string, pageId: string, change: Record<string, unknown>) =>
  propose(spaceId, { updatePage: { pageId, ...change } });

async function propose(spaceId: string, ...changes: unknown[]) {
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  await editor.mutate('updateChangeRequestContent', { changeRequestId: changeRequest.id, changes }, 'revision { id }');
  const { result } = await admin.mutate('mergeChangeRequest', { changeRequestId: changeRequest.id }, 'result');
  expect(result).toBe('MERGE');
}

async function translated(pages: Record<string, string>) {
  const { spaceId, pageIds } = await makeSpace(pages);
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  const pageId = pageIds[Object.keys(pages)[0] ?? ''] as string;
  const markdown = async () => (await page(translatedId, pageId)).markdown.trim();
  const reviews = async () => (await reader.get(`${all}/${translationId}/reviews`)).body.items;
  return { spaceId, pageIds, pageId, translationId, translatedId, markdown, reviews };
}

test('an edit survives runs, and changes of other sentences in its block', async () => {
  const { spaceId, pageId, translationId, translatedId, markdown, reviews } = await translated({
    One: 'First sentence. Second sentence.\n\nAnother block.',
  });
  await edit(translatedId, pageId, { document: { markdown: 'Erster Satz. ⟦Šéçôñđ šéñţéñçé.⟧\n\n⟦Àñôţĥéř ƀļôçķ.⟧' } });
  await run(translationId);
  expect(await markdown()).toBe('Erster Satz. ⟦Šéçôñđ šéñţéñçé.⟧\n\n⟦Àñôţĥéř ƀļôçķ.⟧');
  await write(spaceId, pageId, 'First sentence. Third sentence.\n\nOther block.\n\nA new one.');
  await run(translationId);
  expect(await markdown()).toBe('Erster Satz. ⟦Ţĥîřđ šéñţéñçé.⟧\n\n⟦Ôţĥéř ƀļôçķ.⟧\n\n⟦À ñéŵ ôñé.⟧');
  expect(await reviews()).toEqual([]);
});

test('an edit of a reusable content survives runs, and changes of its other sentences', async () => {
  const { spaceId } = await makeSpace({ One: 'One.' });
  const markdown = 'First sentence. Second sentence.';
  const { insertedReusableContents } = await admin.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ insertReusableContent: { title: 'Note', document: { markdown } } }] },
    'insertedReusableContents { reusableContentId }',
  );
  const [{ reusableContentId }] = insertedReusableContents;
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  const rewritten = (text: string) => ({ updateReusableContent: { reusableContentId, document: { markdown: text } } });
  await propose(translatedId, rewritten('Erster Satz. ⟦Šéçôñđ šéñţéñçé.⟧'));
  await run(translationId);
  await admin.mutate(
    'updateSpaceContent',
    { spaceId, changes: [rewritten('First sentence. Third sentence.')] },
    'revision { id }',
  );
  await run(translationId);
  const { space } = await admin.graphql(
    'query ($id: ID!) { space(id: $id) { revision { reusableContents { nodes { title markdown } } } } }',
    { id: translatedId },
  );
  expect(space.revision.reusableContents.nodes).toEqual([
    { title: '⟦Ñôţé⟧', markdown: 'Erster Satz. ⟦Ţĥîřđ šéñţéñçé.⟧\n' },
  ]);
});

test('an edit whose source changes is replaced and marked for review, with both sources and both translations', async () => {
  const { spaceId, pageId, translationId, translatedId, markdown, reviews } = await translated({
    One: 'Old sentence. Same sentence.',
  });
  await edit(translatedId, pageId, { document: { markdown: 'Alter Satz. ⟦Šàɱé šéñţéñçé.⟧' } });
  await run(translationId);
  await write(spaceId, pageId, 'New sentence. Same sentence.');
  await run(translationId);
  expect(await markdown()).toBe('⟦Ñéŵ šéñţéñçé.⟧ ⟦Šàɱé šéñţéñçé.⟧');
  const [review] = await reviews();
  expect(review).toMatchObject({
    page: pageId,
    source: 'Old sentence.',
    translation: 'Alter Satz.',
    newSource: 'New sentence.',
    newTranslation: '⟦Ñéŵ šéñţéñçé.⟧',
  });
  const { translation } = await reader.graphql(
    `query ($id: ID!) { translation: node(id: $id) { ... on Translation { reviews(first: 5) { totalCount nodes { id source translation newSource newTranslation } } } } }`,
    { id: translationId },
  );
  expect(translation.reviews).toMatchObject({ totalCount: 1, nodes: [{ id: review.id, translation: 'Alter Satz.' }] });
  const path = `${all}/${translationId}/reviews`;
  expect((await outsider.get(path)).status).toBe(404);
  expect((await reader.delete(`${path}/${review.id}`)).status).toBe(403);
  expect((await admin.delete(`${path}/${review.id}`)).status).toBe(204);
  expect((await admin.delete(`${path}/${review.id}`)).status).toBe(204);
  const again = await admin.mutate(
    'deleteTranslationReview',
    { translationId, translationReviewId: review.id },
    'deletedId',
  );
  expect(again).toEqual({ deletedId: null });
  expect(await reviews()).toEqual([]);
});

test('an edit made after the source has changed, but before the run, is marked for review', async () => {
  const { spaceId, pageId, translationId, translatedId, reviews } = await translated({ One: 'Old words.' });
  await write(spaceId, pageId, 'New words.');
  await edit(translatedId, pageId, { document: { markdown: 'Alte Wörter.' } });
  await run(translationId);
  expect(await reviews()).toMatchObject([
    { source: 'Old words.', translation: 'Alte Wörter.', newSource: 'New words.' },
  ]);
});

test('a block whose sentences were merged belongs to the person as a whole', async () => {
  const { spaceId, pageId, translationId, translatedId, markdown, reviews } = await translated({
    One: 'One sentence. Two sentences.',
    Two: 'Untouched.',
  });
  await edit(translatedId, pageId, { document: { markdown: 'Ein und **zwei** Sätze.' } });
  await run(translationId);
  await write(spaceId, pageId, 'One sentence. Two sentences.\n\nMore.');
  await run(translationId);
  expect(await markdown()).toBe('Ein und **zwei** Sätze.\n\n⟦Ṁôřé.⟧');
  await write(spaceId, pageId, 'One sentence. Three sentences.\n\nMore.');
  await run(translationId);
  expect(await markdown()).toBe('⟦Ôñé šéñţéñçé.⟧ ⟦Ţĥřéé šéñţéñçéš.⟧\n\n⟦Ṁôřé.⟧');
  expect(await reviews()).toMatchObject([
    { translation: 'Ein und zwei Sätze.', newSource: 'One sentence. Three sentences.' },
  ]);
});

test('edits of titles and added blocks and pages survive', async () => {
  const { spaceId, pageId, translationId, translatedId, markdown, reviews } = await translated({ One: 'Some text.' });
  await edit(translatedId, pageId, { title: 'Eins', document: { markdown: '⟦Šôɱé ţéẋţ.⟧\n\nEin Hinweis für Leser.' } });
  await admin.mutate(
    'updateSpaceContent',
    { spaceId: translatedId, changes: [{ insertPage: { title: 'Impressum' } }] },
    'revision { id }',
  );
  await write(spaceId, pageId, 'Other text.');
  await run(translationId);
  await run(translationId);
  expect((await page(translatedId, pageId)).title).toBe('Eins');
  expect(await markdown()).toBe('⟦Ôţĥéř ţéẋţ.⟧\n\nEin Hinweis für Leser.');
  const { body } = await admin.get(`/v1/spaces/${translatedId}/content/pages`);
  expect(body.pages.map(({ title }: { title: string }) => title)).toEqual(['Eins', 'Impressum']);
  await admin.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ updatePage: { pageId, title: 'Uno' } }] },
    'revision { id }',
  );
  await run(translationId);
  expect((await page(translatedId, pageId)).title).toBe('⟦Úñô⟧');
  expect(await reviews()).toMatchObject([
    { source: 'One', translation: 'Eins', newSource: 'Uno', newTranslation: '⟦Úñô⟧' },
  ]);
});

test('edits never enter the memory of others', async () => {
  const { pageId, translationId, translatedId } = await translated({ One: 'A private phrase.' });
  await edit(translatedId, pageId, { document: { markdown: 'Streng geheim.' } });
  await run(translationId);
  const rows = await db.selectFrom('translation_memory').select('translation').execute();
  expect(rows.map(({ translation }) => translation)).not.toContain('Streng geheim.');
  const other = await translated({ One: 'A private phrase.' });
  expect(await other.markdown()).toContain('⟦À');
});
