import { beforeEach, expect, test } from 'vitest';
import type { Client } from '../../client.ts';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';
import { translating } from './arrange.ts';

const here = await world();
const { admin, creator, editor, reader, guest, outsider, organizationId } = here;
const { all, db, makeSpace, write, create, work, run, page } = translating(here);

let made: {
  spaceId: string;
  pageIds: Record<string, string>;
  translationId: string;
  translatedId: string;
  path: string;
};
beforeEach(async () => {
  const { spaceId, pageIds } = await makeSpace({ One: 'Open **the door** now. Then wait.', Two: 'Other words.' });
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  made = { spaceId, pageIds, translationId, translatedId, path: `${all}/${translationId}` };
});

async function upload(text: string | Buffer, by: Client = creator) {
  const { body } = await by.send('POST', `/v1/orgs/${organizationId}/uploads?name=x.xlf`, Buffer.from(text), {
    'content-type': 'application/octet-stream',
  });
  return body.id as string;
}

const exported = async (format: string, query = '') =>
  (await reader.get(`${made.path}/export?format=${format}${query}`)).body.content as string;

const importEdits = async (text: string | Buffer, more: object = {}) =>
  creator.post(`${made.path}/import-edits`, { upload: await upload(text), ...more });

const importMemory = async (text: string) => creator.post(`${made.path}/import-memory`, { upload: await upload(text) });

const markdownOf = async (title: string) =>
  (await page(made.translatedId, made.pageIds[title] as string)).markdown.trim();

test('guests export without the terms of the glossary, which they do not read', async () => {
  await creator.put(`${all}-glossary`, { operations: [{ type: 'insert', translations: { en: 'door', de: 'Tür' } }] });
  await work(made.translationId);
  for (const spaceId of [made.spaceId, made.translatedId])
    await admin.mutate('grantPermission', { spaceId, userIds: [guest.userId], role: 'READ' }, 'space { id }');
  const { status, body } = await guest.get(`${made.path}/export?format=xliff`);
  expect([status, body.content]).toEqual([200, expect.stringContaining('the door')]);
  expect(body.content).not.toContain('Glossary');
  expect(await exported('xliff')).toContain('Glossary: door');
  const { body: glossary } = await creator.get(`${all}-glossary`);
  await creator.put(`${all}-glossary`, { operations: [{ type: 'delete', id: glossary.items[0].id }] });
});

test('an exported file that was worked on is imported to a change request, whose edits survive', async () => {
  const operations = [{ type: 'insert', translations: { en: 'wait', de: 'warten' } }];
  await creator.put(`${all}-glossary`, { operations });
  await work(made.translationId);
  const file = await exported('xliff');
  expect(file).toContain('srcLang="en" trgLang="de"');
  expect(file).toContain('<note>Glossary: wait = warten</note>');
  expect(file).toContain('<source xml:space="preserve">Open <pc id="1">the door</pc> now.</source>');
  const edited = file
    .replace('⟦Ôþéñ <pc id="1">ţĥé đôôř</pc> ñôŵ.⟧', 'Öffnen Sie jetzt <pc id="1">die Tür</pc>.')
    .replace('⟦Ţŵô⟧', 'Zwei');
  const { body, status } = await importEdits(edited);
  expect([body.error, status, body.count]).toEqual([undefined, 200, 2]);
  expect(await markdownOf('One')).toContain('⟦Ôþéñ');
  await admin.mutate('mergeChangeRequest', { changeRequestId: body.changeRequest }, 'result');
  expect(await markdownOf('One')).toBe('Öffnen Sie jetzt **die Tür**. ⟦Ţĥéñ warten.⟧');
  await write(made.spaceId, made.pageIds.One as string, 'Open **the door** now. Then go.');
  await run(made.translationId);
  expect(await markdownOf('One')).toBe('Öffnen Sie jetzt **die Tür**. ⟦Ţĥéñ ğô.⟧');
  expect((await page(made.translatedId, made.pageIds.Two as string)).title).toBe('Zwei');
  expect(await exported('xliff')).toContain('<segment state="reviewed"><source xml:space="preserve">Two</source>');
  expect((await importEdits(await exported('xliff'))).body).toEqual({ count: 0 });
  await creator.put(`${all}-glossary`, {
    operations: [{ type: 'delete', id: (await creator.get(`${all}-glossary`)).body.items[0].id }],
  });
});

test('an import of edits is tried: the differences are shown, and no change request is made', async () => {
  const text = (await exported('xliff')).replace('⟦Ôţĥéř ŵôřđš.⟧', 'Andere Worte.');
  const requests = async () =>
    (await admin.get(`/v1/spaces/${made.translatedId}/change-requests?status=draft`)).body.count;
  const before = await requests();
  const events = (await here.eventsBy()).length;
  const tried = await importEdits(text, { dryRun: true });
  expect([tried.body.error, tried.status]).toEqual([undefined, 200]);
  expect(tried.body).toEqual({
    count: 1,
    preview: expect.objectContaining({
      pages: [
        expect.objectContaining({
          pageId: made.pageIds.Two,
          effect: 'updated',
          diff: expect.stringContaining('-⟦Ôţĥéř ŵôřđš.⟧\n+Andere Worte.\n'),
        }),
      ],
      pagesCount: 1,
      brokenLinksCount: 0,
    }),
  });
  expect([await requests(), (await here.eventsBy()).length]).toEqual([before, events]);
  const { changeRequest } = await creator.mutate(
    'createChangeRequest',
    { spaceId: made.translatedId },
    'changeRequest { id number }',
  );
  const { translationId } = made;
  const again = await creator.mutate(
    'importTranslationEdits',
    { translationId, uploadId: await upload(text), changeRequestId: changeRequest.id, dryRun: true },
    'count changeRequest { id revision { id } } preview { pagesCount }',
  );
  expect(again).toMatchObject({ count: 1, changeRequest: { id: changeRequest.id }, preview: { pagesCount: 1 } });
  const nothing = await importEdits(await exported('xliff'), { dryRun: true });
  expect(nothing.body).toMatchObject({ count: 0, preview: { pages: [], pagesCount: 0 } });
  expect(nothing.body.changeRequest).toBeUndefined();
  expect((await importEdits(text.replaceAll(made.pageIds.Two as string, 'page_x'), { dryRun: true })).status).toBe(400);
  const done = await creator.mutate(
    'importTranslationEdits',
    { translationId, uploadId: await upload(text) },
    'changeRequest { number } preview { pagesCount }',
  );
  expect(done).toEqual({ changeRequest: { number: changeRequest.number + 1 }, preview: null });
});

test('a file is exported on both transports, of some pages if wanted', async () => {
  const { translationExport } = await reader.graphql(
    `query ($id: ID!, $pages: [ID!]) { translationExport(translationId: $id, format: XLIFF, pageIds: $pages) { format mediaType fileName content } }`,
    { id: made.translationId, pages: [made.pageIds.Two] },
  );
  expect(translationExport).toMatchObject({ format: 'XLIFF', mediaType: 'application/xliff+xml' });
  expect(translationExport.content).toContain('Other words.');
  expect(translationExport.content).not.toContain('door');
  expect(await exported('xliff', `&pageIds=${made.pageIds.Two}`)).toBe(translationExport.content);
  expect(await exported('tmx')).toContain(
    '<tu><tuv xml:lang="en"><seg>Other words.</seg></tuv><tuv xml:lang="de"><seg>⟦Ôţĥéř ŵôřđš.⟧</seg></tuv></tu>',
  );
  expect((await reader.get(`${made.path}/export?format=docx`)).status).toBe(400);
  const pending = await create(made.spaceId, 'fr');
  expect((await reader.get(`${all}/${pending.translationId}/export?format=tmx`)).status).toBe(400);
});

test('texts of a translation are for those who can read both of its spaces', async () => {
  const path = `${made.path}/export?format=tmx`;
  expect((await outsider.get(path)).status).toBe(404);
  expect((await guest.get(path)).status).toBe(404);
  await admin.patch(`/v1/spaces/${made.translatedId}`, { defaultLevel: null });
  expect((await reader.get(path)).status).toBe(404);
  expect((await importEdits(await (await admin.get(path)).body.content)).status).toBe(404);
  await admin.patch(`/v1/spaces/${made.translatedId}`, { defaultLevel: 'read' });
  expect((await reader.get(path)).status).toBe(200);
  expect((await importEdits('x')).status).toBe(403);
  const uploadId = await upload('x', editor);
  expect((await editor.post(`${made.path}/import-memory`, { upload: uploadId })).status).toBe(403);
  expect((await editor.post(`${made.path}/import-edits`, { upload: uploadId })).status).toBe(403);
  expect((await outsider.post(`${made.path}/import-memory`, { upload: uploadId })).status).toBe(404);
  expect((await creator.post(`${made.path}/import-memory`, { upload: uploadId })).status).toBe(400);
});

test('faults are reported by unit, and nothing is imported', async () => {
  const file = await exported('xliff');
  const count = async () =>
    (await admin.get(`/v1/spaces/${made.translatedId}/change-requests?status=draft`)).body.count;
  const before = await count();
  const faulty = file
    .replace('⟦Ôþéñ <pc id="1">ţĥé đôôř</pc> ñôŵ.⟧', 'Die Tür jetzt öffnen.')
    .replace('>Then wait.<', '>Then leave.<')
    .replace('⟦Ţŵô⟧', 'Zwei')
    .replace('</file>', '<unit id="uX"><segment><source>A</source><target>B</target></segment></unit></file>');
  const { status, body } = await importEdits(faulty);
  expect(status).toBe(400);
  expect(body.error.message).toContain(made.pageIds.One);
  const { body: raw } = await creator.graphqlRaw(
    'mutation ($input: ImportTranslationEditsInput!) { importTranslationEdits(input: $input) { count } }',
    { input: { translationId: made.translationId, uploadId: await upload(faulty) } },
  );
  const messages = raw.errors[0].extensions.issues.map(({ message }: { message: string }) => message);
  expect(messages).toHaveLength(3);
  expect(messages.join()).toMatch(/codes of the source.*changed since the export.*no such segment/s);
  const others = [
    '<x/>',
    '',
    file.replace('trgLang="de"', 'trgLang="fr"'),
    file.replace('<xliff', '<!DOCTYPE xliff [<!ENTITY a "b">]><xliff'),
  ];
  for (const text of others) expect((await importEdits(text || ' ')).status).toBe(400);
  expect((await importEdits(file.replaceAll(made.pageIds.Two as string, 'page_x'))).status).toBe(400);
  const large = await importEdits(Buffer.alloc(50_000_000, ' '));
  expect([large.status, large.body.error.message]).toEqual([400, expect.stringContaining('50000000 bytes')]);
  expect(await count()).toBe(before);
  expect(await markdownOf('Two')).toBe('⟦Ôţĥéř ŵôřđš.⟧');
});

test('files are refused whose elements take long to read', async () => {
  const inside = (content: string) =>
    `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="de"><file id="f"><unit id="u"><segment>${content}</segment></unit></file></xliff>`;
  const attributes = Array.from({ length: 400_000 }, (_, index) => ` a${index}="1"`).join('');
  for (const [content, message] of [
    [`<source${attributes}/>`, 'Elements have up to 100 attributes.'],
    [`<source>${'<ph id="1"/>'.repeat(10_000)}</source>`, '"unit" contains more than 10000 elements.'],
    [`<source>${'&amp;'.repeat(1_000_001)}</source>`, '"unit" has more than 1000000 characters.'],
  ] as const) {
    const { status, body } = await importEdits(inside(content));
    expect([status, body.error.message]).toEqual([400, `upload: Line 1: ${message}`]);
  }
  const units = `<file id="f">${'<unit/>'.repeat(250_001)}</file>`;
  const { status, body } = await importEdits(inside('').replace(/<file.*<\/file>/, units));
  expect([status, body.error.message]).toEqual([
    400,
    'upload: Line 1: The file has more than 250000 elements "unit". Split it.',
  ]);
});

test('an import goes to the change request that is given', async () => {
  const { changeRequest } = await creator.mutate(
    'createChangeRequest',
    { spaceId: made.translatedId },
    'changeRequest { id }',
  );
  const text = (await exported('xliff')).replace('⟦Ôţĥéř ŵôřđš.⟧', 'Andere Worte.');
  const { body } = await importEdits(text, { changeRequest: changeRequest.id });
  expect(body).toEqual({ count: 1, changeRequest: changeRequest.id });
  const other = await makeSpace({ One: 'x' });
  const elsewhere = await creator.mutate('createChangeRequest', { spaceId: other.spaceId }, 'changeRequest { id }');
  expect((await importEdits(text, { changeRequest: elsewhere.changeRequest.id })).status).toBe(404);
});

async function propose(title: string, updatePage: object): Promise<string> {
  const { changeRequest } = await creator.mutate(
    'createChangeRequest',
    { spaceId: made.translatedId },
    'changeRequest { id }',
  );
  const changes = [{ updatePage: { pageId: made.pageIds[title], ...updatePage } }];
  await creator.mutate('updateChangeRequestContent', { changeRequestId: changeRequest.id, changes }, 'revision { id }');
  return changeRequest.id;
}

test('an import to a change request in which sentences were added or merged replaces no other sentence', async () => {
  const file = await exported('xliff');
  const added = await propose('Two', { document: { markdown: 'Einleitung. ⟦Ôţĥéř ŵôřđš.⟧' } });
  const text = file.replace('⟦Ôţĥéř ŵôřđš.⟧', 'Andere Worte.');
  const first = await importEdits(text, { changeRequest: added });
  expect([first.status, first.body.error?.message]).toEqual([409, expect.stringContaining('merged or split')]);
  const renamed = await propose('Two', { title: 'Eins. Zwei.' });
  const second = await importEdits(file.replace('⟦Ţŵô⟧', 'Zwei'), { changeRequest: renamed });
  expect([second.status, second.body.error?.message]).toEqual([409, expect.stringContaining('merged or split')]);
});

test('an import to a change request in which a sentence was deleted and another one added replaces neither', async () => {
  const text = (await exported('xliff')).replace('⟦Ţĥéñ ŵàîţ.⟧', 'Dann warten.').replace('⟦Ţŵô⟧', 'Zwei');
  const moved = await propose('One', { document: { markdown: '⟦Ţĥéñ ŵàîţ.⟧ Noch ein Satz.' } });
  const renamed = await propose('Two', { title: 'Zweitens' });
  for (const changeRequest of [moved, renamed]) {
    const { status, body } = await importEdits(text, { changeRequest });
    expect([status, body.error?.message]).toEqual([409, expect.stringContaining('were changed')]);
  }
  expect((await importEdits(text)).status).toBe(200);
});

test('a file is imported again to the same change request, also with further targets', async () => {
  const file = await exported('xliff');
  const first = file
    .replace('⟦Ôþéñ <pc id="1">ţĥé đôôř</pc> ñôŵ.⟧', 'Öffnen Sie <pc id="1">die Tür</pc>.')
    .replace('⟦Ţŵô⟧', 'Zwei');
  const { changeRequest } = (await importEdits(first)).body;
  const again = await importEdits(first.replace('⟦Ţĥéñ ŵàîţ.⟧', 'Dann warten.'), { changeRequest });
  expect([again.body.error, again.body]).toEqual([undefined, { count: 3, changeRequest }]);
  await admin.mutate('mergeChangeRequest', { changeRequestId: changeRequest }, 'result');
  expect(await markdownOf('One')).toBe('Öffnen Sie **die Tür**. Dann warten.');
});

const tmx = (pairs: Record<string, string>) =>
  `<tmx version="1.4"><header/><body>${Object.entries(pairs)
    .map(([en, de]) => `<tu><tuv xml:lang="en"><seg>${en}</seg></tuv><tuv xml:lang="de"><seg>${de}</seg></tuv></tu>`)
    .join('')}</body></tmx>`;

test('an imported memory is used by its translation and no other, and nothing is sent', async () => {
  const other = await create(made.spaceId, 'de');
  const door = 'Open <bpt i="1"/>the door<ept i="1"/> now.';
  const { status, body } = await importMemory(
    tmx({ [door]: 'Jetzt <bpt i="1"/>die Tür<ept i="1"/> öffnen.', 'Unused.': 'Ungenutzt.' }),
  );
  expect([body.error, status, body.status]).toEqual([undefined, 200, 'running']);
  const { stats } = await work(made.translationId);
  expect(stats).toMatchObject({ latestSentSegments: 0, latestPages: 2 });
  expect(await markdownOf('One')).toBe('Jetzt **die Tür** öffnen. ⟦Ţĥéñ ŵàîţ.⟧');
  await work(other.translationId);
  expect((await page(other.translatedId, made.pageIds.One as string)).markdown).toContain('⟦Ôþéñ');
  await importMemory(tmx({ [door]: '<bpt i="1"/>Tür<ept i="1"/> auf.' }));
  await work(made.translationId);
  expect(await markdownOf('One')).toContain('**Tür** auf.');
  await creator.delete(made.path);
  const left = await db.selectFrom('translation_memory').where('translationId', 'is not', null).selectAll().execute();
  expect(left).toEqual([]);
});

test('an imported memory is deleted by those who can import, and its segments are translated by the provider again', async () => {
  const remove = (by: Client) => by.post(`${made.path}/purge-memory`);
  await importMemory(tmx({ 'Other words.': 'Andere Worte.', 'Then wait.': 'Dann warten.' }));
  await work(made.translationId);
  expect(await markdownOf('Two')).toBe('Andere Worte.');
  await write(made.translatedId, made.pageIds.One as string, 'Von Hand. Dann warten.');
  await run(made.translationId);
  expect([(await remove(editor)).status, (await remove(outsider)).status]).toEqual([403, 404]);
  expect(await markdownOf('Two')).toBe('Andere Worte.');
  expect((await remove(creator)).status).toBe(204);
  const { stats } = await work(made.translationId);
  expect(stats.latestSentSegments).toBe(0);
  expect([await markdownOf('One'), await markdownOf('Two')]).toEqual(['Von Hand. ⟦Ţĥéñ ŵàîţ.⟧', '⟦Ôţĥéř ŵôřđš.⟧']);
  await settled(db);
  expect(await here.eventsBy('kind=translation_memory_purged')).toHaveLength(1);
  const again = await creator.mutate(
    'purgeTranslationMemory',
    { translationId: made.translationId },
    'deletedCount translation { id status }',
  );
  expect(again).toEqual({ deletedCount: 0, translation: { id: made.translationId, status: 'COMPLETED' } });
  await importMemory(tmx({ 'Other words.': 'Wieder andere.' }));
  await work(made.translationId);
  expect(await markdownOf('Two')).toBe('Wieder andere.');
});

test('a memory with faults is not imported', async () => {
  const imports = [
    [tmx({ 'Other words.': 'Worte <ph x="1"/>' }), 'Unit 1'],
    [tmx({ 'A <ph x="1"/>': 'B' }), 'Unit 1'],
    [tmx({}), '"en" and "de"'],
    ['<xliff/>', 'not TMX'],
  ] as const;
  for (const [text, message] of imports) {
    const { status, body } = await importMemory(text);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
  }
  const { count } = await db
    .selectFrom('translation_memory')
    .where('translationId', '=', made.translationId)
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(0);
});

test('an edit of a person is kept when a memory is imported', async () => {
  await write(made.translatedId, made.pageIds.Two as string, 'Von Hand.');
  await run(made.translationId);
  await importMemory(tmx({ 'Other words.': 'Aus der Datei.' }));
  await work(made.translationId);
  expect(await markdownOf('Two')).toBe('Von Hand.');
});
