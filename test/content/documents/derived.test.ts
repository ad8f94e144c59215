import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deriveAgain } from '../../../src/domain/store/bodies/derive-again.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';

const { app, admin, editor, reader, organizationId } = await world();
const { db } = app.services;
const { space } = await admin.mutate('createSpace', { organizationId, title: 'Derived', empty: true }, 'space { id }');

const insert = async (title: string, markdown: string): Promise<string> => insertBody(title, { markdown });
const insertBody = async (title: string, document: object): Promise<string> => {
  const changes = [{ insertPage: { title, document } }];
  return (await editor.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds')).pageIds[0];
};
const markdownOf = async (pageId: string): Promise<string> =>
  withoutTitle((await reader.get(`/v1/spaces/${space.id}/content/page/${pageId}?format=markdown`)).body.markdown);
const documentOf = async (pageId: string) =>
  (await reader.get(`/v1/spaces/${space.id}/content/page/${pageId}`)).body.document;
const statuses = async () => {
  const { body } = await reader.get(`/v1/spaces/${space.id}/links`);
  return body.items.map(({ status }: { status: string }) => status);
};

test('headings of pages begin at level 2, those of comments at level 1', async () => {
  const pageId = await insert('Levels', '# a\n\n## b\n\n### c\n\n#### d\n\n##### e\n');
  expect((await documentOf(pageId)).nodes.map(({ type }: { type: string }) => type)).toEqual([
    'heading-1',
    'heading-1',
    'heading-2',
    'heading-3',
    'heading-3',
  ]);
  const { document } = (await reader.get(`/v1/spaces/${space.id}/content/page/${pageId}`)).body;
  const copyId = await insertBody('Copy', { document });
  expect(await markdownOf(copyId)).toBe('## a\n\n## b\n\n### c\n\n#### d\n\n#### e\n');
  const { comment } = await editor.mutate(
    'postComment',
    { spaceId: space.id, pageId, body: { markdown: '# a\n\n## b' } },
    'comment { body { markdown } }',
  );
  expect(comment.body.markdown).toBe('# a\n\n## b');
});

test('what earlier rules derived is derived again, and is not shown meanwhile', async () => {
  const pageId = await insert('Old', '## Größe & Länge\n\nText.\n');
  const old = { markdown: '# Größe & Länge\n\nText.\n', derivedVersion: 0, anchors: [], uses: null };
  await db.updateTable('document').set(old).where('markdown', 'like', '%Größe%').execute();
  await sql`update document_section set anchor = 'old' where title like 'Größe%'`.execute(db);
  expect(await markdownOf(pageId)).toBe('## Größe & Länge\n\nText.\n');
  const signal = new AbortController().signal;
  await deriveAgain.run(jobContext(app.services, 'test'), {}, { signal, retries: 0 });
  const stored = await db
    .selectFrom('document')
    .where('markdown', 'like', '%Größe%')
    .select(['markdown', 'anchors', 'uses'])
    .executeTakeFirstOrThrow();
  expect(stored.markdown).toBe('## Größe & Länge\n\nText.\n');
  expect(stored.uses).toEqual([]);
  expect(stored.anchors).toEqual(expect.arrayContaining(['grosse-and-lange', 'größe--länge']));
  const section = db.selectFrom('document_section').where('title', 'like', 'Größe%').select('anchor');
  expect(await section.execute()).toEqual([{ anchor: 'grosse-and-lange' }]);
});

test('links resolve by present and former anchors, and relative ones that lead to nothing are broken', async () => {
  const before = (await statuses()).length;
  await insert(
    'Links',
    '## 1. Über uns\n\n[a](#id-1.-uber-uns) [b](#1-über-uns) [c](#none) [d](missing.md) [e](https://example.com)\n',
  );
  expect((await statuses()).slice(before).sort()).toEqual(['broken', 'broken', 'ok', 'ok', 'ok']);
});

test('REST has what the public schema allows, and says what a body has beyond it', async () => {
  const markdown =
    '{% stepper %}\n{% step %}\n{% tabs %}\n{% tab title="t" %}\na\n{% endtab %}\n{% endtabs %}\n{% endstep %}\n{% endstepper %}\n\n{% prompt %}\nb\n{% endprompt %}\n';
  const pageId = await insert('Beyond', markdown);
  expect(await markdownOf(pageId)).toBe(markdown);
  const shown = await documentOf(pageId);
  expect(shown.data.beyond).toEqual([
    { key: expect.any(String), type: 'tabs', parent: 'stepper-step' },
    { key: expect.any(String), type: 'unknown', parent: null },
  ]);
  expect(shown.nodes.map(({ type }: { type: string }) => type)).toEqual(['stepper', 'code']);
  const query = `query($id: ID!, $path: String!) { space(id: $id) { revision { page(path: $path) { ... on DocumentPage { document } } } } }`;
  const { space: read } = await reader.graphql(query, { id: space.id, path: 'beyond' });
  const { document } = read.revision.page;
  expect(document.nodes.map(({ type }: { type: string }) => type)).toEqual(['stepper', 'unknown']);
  const changes = [{ updatePage: { pageId, document: { document } } }];
  await editor.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds');
  expect(await markdownOf(pageId)).toBe(markdown);
});
