import { beforeEach, expect, test } from 'vitest';
import { siteWith } from '../../publishing/arrange.ts';
import { world } from '../../world.ts';
import { translating } from './arrange.ts';

const here = await world();
const { admin, creator, editor, reader, outsider } = here;
const { all, makeSpace, write, create, work, run, page } = translating(here);

type Made = Awaited<ReturnType<typeof reviewed>>;
let made: Made;
beforeEach(async () => {
  made = await reviewed();
});

/** A translation with one review: of the first of two sentences, whose source has changed since somebody edited it. */
async function reviewed() {
  const { spaceId, pageIds } = await makeSpace({ One: 'Old sentence. Same sentence.' });
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  const pageId = pageIds.One as string;
  await write(translatedId, pageId, 'Alter **Satz**. ⟦Šàɱé šéñţéñçé.⟧');
  await run(translationId);
  await write(spaceId, pageId, 'New sentence. Same sentence.');
  await run(translationId);
  const path = `${all}/${translationId}/reviews`;
  const list = async (query = '') => (await reader.get(`${path}${query}`)).body.items;
  const [review] = await list();
  const markdown = async () => (await page(translatedId, pageId)).markdown.trim();
  return {
    spaceId,
    pageId,
    translationId,
    translatedId,
    path: `${path}/${review.id}`,
    reviewId: review.id,
    list,
    markdown,
  };
}

test('a kept edit is in the page at once, and stays for the new source', async () => {
  const { path, list, markdown, translationId, spaceId, pageId } = made;
  expect((await creator.post(`${path}/resolve`, { resolution: 'keep' })).status).toBe(204);
  expect(await markdown()).toBe('Alter **Satz**. ⟦Šàɱé šéñţéñçé.⟧');
  expect(await list()).toEqual([]);
  await run(translationId);
  expect(await markdown()).toBe('Alter **Satz**. ⟦Šàɱé šéñţéñçé.⟧');
  await write(spaceId, pageId, 'New sentence. Other sentence.');
  await run(translationId);
  expect(await markdown()).toBe('Alter **Satz**. ⟦Ôţĥéř šéñţéñçé.⟧');
  expect(await list()).toEqual([]);
});

test('a replaced edit is gone, and the page keeps the new translation', async () => {
  const { list, markdown, translationId, reviewId } = made;
  const resolved = await creator.mutate(
    'resolveTranslationReview',
    { translationId, translationReviewId: reviewId, resolution: 'REPLACE' },
    'deletedId translation { id }',
  );
  expect(resolved).toEqual({ deletedId: reviewId, translation: { id: translationId } });
  expect(await markdown()).toBe('⟦Ñéŵ šéñţéñçé.⟧ ⟦Šàɱé šéñţéñçé.⟧');
  expect(await list()).toEqual([]);
  expect((await here.eventsBy('kind=translation_review_resolved')).length).toBeGreaterThan(0);
});

test('another text in a change request is in the page after the merge, and ends the review with the next run', async () => {
  const { path, list, markdown, translatedId, translationId } = made;
  const { changeRequest } = await creator.mutate(
    'createChangeRequest',
    { spaceId: translatedId },
    'changeRequest { id }',
  );
  const input = { resolution: 'edit', markdown: 'Ein *neuer* Satz.', changeRequest: changeRequest.id };
  const answer = await creator.post(`${path}/resolve`, input);
  expect([answer.body?.error, answer.status]).toEqual([undefined, 204]);
  expect(await markdown()).toBe('⟦Ñéŵ šéñţéñçé.⟧ ⟦Šàɱé šéñţéñçé.⟧');
  expect(await list()).toHaveLength(1);
  await admin.mutate('mergeChangeRequest', { changeRequestId: changeRequest.id }, 'result');
  await run(translationId);
  expect(await markdown()).toBe('Ein _neuer_ Satz. ⟦Šàɱé šéñţéñçé.⟧');
  expect(await list()).toEqual([]);
});

const PREVIEW =
  'preview { pages { pageId effect fields diff } pagesCount brokenLinks { locationId } brokenLinksCount }';

test('a resolution is tried: the difference is shown, the review stays, and nothing is written', async () => {
  const { path, list, markdown, translatedId, translationId, reviewId, pageId } = made;
  const events = (await here.eventsBy()).length;
  const tried = (resolution: string, more: object = {}) =>
    creator.mutate(
      'resolveTranslationReview',
      { translationId, translationReviewId: reviewId, resolution, dryRun: true, ...more },
      `deletedId translation { id } ${PREVIEW}`,
    );
  const keep = await tried('KEEP', { idempotencyKey: 'try' });
  expect(keep).toMatchObject({ deletedId: null, translation: { id: translationId }, preview: { pagesCount: 1 } });
  expect(keep.preview.pages).toEqual([
    { pageId, effect: 'UPDATED', fields: ['document'], diff: expect.stringContaining('+Alter **Satz**.') },
  ]);
  expect((await tried('REPLACE')).preview).toMatchObject({ pages: [], pagesCount: 0, brokenLinksCount: 0 });
  const linking = await tried('EDIT', { markdown: 'Siehe [das](page:page_01h455vb4pex5vsknk084sn02q).' });
  expect(linking.preview.brokenLinks).toEqual([{ locationId: pageId }]);
  const { changeRequest } = await creator.mutate(
    'createChangeRequest',
    { spaceId: translatedId },
    'changeRequest { id }',
  );
  const body = { resolution: 'keep', changeRequest: changeRequest.id, dryRun: true };
  const inRest = await creator.post(`${path}/resolve`, body);
  expect([inRest.body.error, inRest.status]).toEqual([undefined, 200]);
  expect(inRest.body.preview).toMatchObject({ pagesCount: 1, pages: [{ pageId, effect: 'updated' }] });
  expect(await markdown()).toBe('⟦Ñéŵ šéñţéñçé.⟧ ⟦Šàɱé šéñţéñçé.⟧');
  expect(await list()).toHaveLength(1);
  expect((await here.eventsBy()).length).toBe(events + 1);
  expect((await creator.post(`${path}/resolve`, { ...body, resolution: 'edit' })).status).toBe(400);
  expect((await reader.post(`${path}/resolve`, body)).status).toBe(403);
  expect((await outsider.post(`${path}/resolve`, body)).status).toBe(404);
  await admin.patch(`/v1/spaces/${translatedId}`, { editMode: 'locked' });
  expect((await creator.post(`${path}/resolve`, { resolution: 'keep', dryRun: true })).status).toBe(409);
});

test('a title is resolved like a sentence', async () => {
  const { spaceId, translatedId, translationId, pageId, list, path } = made;
  const title = (inSpace: string, value: string) =>
    admin.mutate(
      'updateSpaceContent',
      { spaceId: inSpace, changes: [{ updatePage: { pageId, title: value } }] },
      'revision { id }',
    );
  await title(translatedId, 'Eins');
  await run(translationId);
  await title(spaceId, 'Uno');
  await run(translationId);
  const review = (await list()).find(({ source }: { source: string }) => source === 'One');
  const resolved = await creator.post(path.replace(made.reviewId, `${review.id}/resolve`), { resolution: 'keep' });
  expect(resolved.status).toBe(204);
  await run(translationId);
  expect((await page(translatedId, pageId)).title).toBe('Eins');
});

test('reviews are filtered by their page and by whether their source was removed', async () => {
  const { pageId, spaceId, translationId, list, path, reviewId } = made;
  expect(await list(`?pageId=${pageId}`)).toHaveLength(1);
  expect(await list('?pageId=page_01h455vb4pex5vsknk084sn02q')).toEqual([]);
  expect(await list('?isRemoved=true')).toEqual([]);
  expect(await list('?isRemoved=false')).toHaveLength(1);
  const one = await reader.get(path);
  expect(one.body).toMatchObject({ id: reviewId, page: pageId, translation: 'Alter Satz.' });
  const { node } = await reader.graphql(
    `query ($id: ID!, $page: ID!) { node(id: $id) { ... on Translation { reviews(first: 5, pageId: $page, isRemoved: false) { totalCount } } } }`,
    { id: translationId, page: pageId },
  );
  expect(node.reviews.totalCount).toBe(1);
  await write(spaceId, pageId, 'New sentence. Changed again.');
  await run(translationId);
  await write(spaceId, pageId, 'A third version. Changed again.');
  await run(translationId);
  const { status, body } = await creator.post(`${path}/resolve`, { resolution: 'keep' });
  expect([status, body.error.message]).toEqual([409, expect.stringContaining('changed again')]);
});

test('a review without a new source can only be replaced', async () => {
  const { spaceId, pageId, translatedId, translationId, list, path, reviewId } = made;
  await creator.post(`${path}/resolve`, { resolution: 'keep' });
  await run(translationId);
  await write(spaceId, pageId, '');
  await run(translationId);
  const [review] = await list('?isRemoved=true');
  const resolve = (resolution: string) => creator.post(path.replace(reviewId, `${review.id}/resolve`), { resolution });
  expect((await resolve('keep')).status).toBe(409);
  expect((await resolve('replace')).status).toBe(204);
  expect((await page(translatedId, pageId)).markdown.trim()).toBe('');
});

test('resolving takes what an edit of the translated space takes', async () => {
  const { path, translatedId, reviewId, list } = made;
  const keep = { resolution: 'keep' };
  expect((await outsider.get(path)).status).toBe(404);
  expect((await outsider.post(`${path}/resolve`, keep)).status).toBe(404);
  expect((await reader.post(`${path}/resolve`, keep)).status).toBe(403);
  expect((await editor.post(`${path}/resolve`, keep)).status).toBe(403);
  expect((await creator.post(path.replace(reviewId, 'translationreview_x/resolve'), keep)).status).toBe(404);
  const wrong = [
    {},
    { resolution: 'drop' },
    { resolution: 'edit' },
    { ...keep, markdown: 'x' },
    { resolution: 'edit', markdown: '# A\n\nb' },
  ];
  for (const body of wrong) expect((await creator.post(`${path}/resolve`, body)).status).toBe(400);
  await admin.patch(`/v1/spaces/${translatedId}`, { editMode: 'locked' });
  const { status, body } = await creator.post(`${path}/resolve`, keep);
  expect([status, body.error.message]).toEqual([409, expect.stringContaining('change request')]);
  await admin.patch(`/v1/spaces/${translatedId}`, { editMode: 'live', defaultLevel: 'read' });
  expect((await creator.post(`${path}/resolve`, keep)).status).toBe(403);
  expect(await list()).toHaveLength(1);
});

test('a kept edit does not replace another sentence when the page has more sentences than the source', async () => {
  const { path, translatedId, pageId, list, markdown } = made;
  await write(translatedId, pageId, 'Einleitung. ⟦Ñéŵ šéñţéñçé.⟧ ⟦Šàɱé šéñţéñçé.⟧');
  for (const answer of [{ resolution: 'keep' }, { resolution: 'edit', markdown: 'Neuer Satz.' }]) {
    const { status, body } = await creator.post(`${path}/resolve`, answer);
    expect([status, body.error.message]).toEqual([409, expect.stringContaining('merged or split')]);
  }
  expect(await markdown()).toBe('Einleitung. ⟦Ñéŵ šéñţéñçé.⟧ ⟦Šàɱé šéñţéñçé.⟧');
  expect(await list()).toHaveLength(1);
});

test('an edit is kept where its sentence has become several, unless somebody has changed the line', async () => {
  const { spaceId, pageIds } = await makeSpace({ One: 'Old sentence.' });
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  const pageId = pageIds.One as string;
  await write(translatedId, pageId, 'Alter **Satz**.');
  await run(translationId);
  const memory =
    '<tmx version="1.4"><header/><body><tu><tuv xml:lang="en"><seg>New sentence.</seg></tuv><tuv xml:lang="de"><seg>Neuer Satz. Noch einer.</seg></tuv></tu></body></tmx>';
  const uploads = `/v1/orgs/${here.organizationId}/uploads?name=x.tmx`;
  const { body } = await creator.send('POST', uploads, Buffer.from(memory), {
    'content-type': 'application/octet-stream',
  });
  await creator.post(`${all}/${translationId}/import-memory`, { upload: body.id });
  await write(spaceId, pageId, 'New sentence.');
  await work(translationId);
  const markdown = async () => (await page(translatedId, pageId)).markdown.trim();
  expect(await markdown()).toBe('Neuer Satz. Noch einer.');
  const [{ id }] = (await reader.get(`${all}/${translationId}/reviews`)).body.items;
  const keep = () => creator.post(`${all}/${translationId}/reviews/${id}/resolve`, { resolution: 'keep' });
  await write(translatedId, pageId, 'Einleitung. Neuer Satz.');
  expect((await keep()).status).toBe(409);
  await write(translatedId, pageId, 'Neuer Satz. Noch einer.');
  expect((await keep()).status).toBe(204);
  expect(await markdown()).toBe('Alter **Satz**.');
  await run(translationId);
  expect(await markdown()).toBe('Alter **Satz**.');
});

test('reviews are for callers with a role on the translated space, and not for those who only see it on a site', async () => {
  const { translatedId, translationId, path, reviewId } = made;
  const site = await siteWith(admin, here.organizationId, {
    title: 'Docs',
    visibility: 'public',
    spaces: [translatedId],
  });
  await admin.post(`${site.path}/publish`);
  await admin.patch(`/v1/spaces/${translatedId}`, { defaultLevel: null });
  expect((await reader.get(`/v1/spaces/${translatedId}`)).status).toBe(200);
  const at = `${all}/${translationId}`;
  for (const url of [path, `${at}/reviews`, `${at}/untranslated-pages`]) {
    expect([url, (await reader.get(url)).status, (await admin.get(url)).status]).toEqual([url, 404, 200]);
  }
  const shownTo = async (client: typeof reader) =>
    (await client.graphql('query ($id: ID!) { node(id: $id) { id } }', { id: reviewId })).node;
  expect([await shownTo(reader), await shownTo(admin)]).toEqual([null, { id: reviewId }]);
});
