import { beforeAll, expect, test } from 'vitest';
import { statementsOf } from '../../client.ts';
import { world } from '../../world.ts';
import { editBy, proposeBy } from './arrange.ts';

const { admin, editor, commenter, guest, outsider, anonymous, organizationId, otherOrganizationId } = await world();

let spaceId: string;
let changeRequestId: string;
let ids: { guide: string; setup: string; proposed: string; note: string };

const MARKDOWN =
  '## Install\n\nSee [setup](setup.md), [new](new.md) and <code class="expression">page.vars.product</code>.\n';

beforeAll(async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs', empty: true }, 'space { id }');
  spaceId = space.id;
  const { pageIds, insertedReusableContents } = await admin.mutate(
    'updateSpaceContent',
    {
      spaceId,
      changes: [
        { insertPage: { title: 'Guide', ref: 'guide', variables: { product: 'Stemma' } } },
        { insertPage: { title: 'Setup', parentId: 'guide' } },
        { insertReusableContent: { title: 'Note', document: { markdown: 'Mind the gap.' } } },
      ],
    },
    'pageIds insertedReusableContents { reusableContentId }',
  );
  changeRequestId = (await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }')).changeRequest.id;
  const proposed = await proposeBy(changeRequestId)(editor, [{ insertPage: { title: 'New', parentId: pageIds[0] } }]);
  const [{ reusableContentId }] = insertedReusableContents;
  ids = { guide: pageIds[0], setup: pageIds[1], proposed: proposed.pageIds[0], note: reusableContentId };
});

const QUERY = `query ($spaceId: ID!, $changeRequestId: ID, $pageId: ID, $markdown: String!, $evaluated: Evaluation, $dereferenced: Dereferencing) {
  previewMarkdown(spaceId: $spaceId, changeRequestId: $changeRequestId, pageId: $pageId, markdown: $markdown) {
    document(evaluated: $evaluated, dereferenced: $dereferenced)
  }
}`;

const preview = async (input: object, by = editor) =>
  (await by.graphql(QUERY, { spaceId, markdown: MARKDOWN, ...input })).previewMarkdown?.document;

test('a preview is the document that the page has once the Markdown is saved', async () => {
  const shown = await preview({ pageId: ids.setup });
  await editBy(spaceId)(editor, [{ updatePage: { pageId: ids.setup, document: { markdown: MARKDOWN } } }]);
  const { space } = await editor.graphql(
    `{ space(id: "${spaceId}") { page(pageId: "${ids.setup}") { ... on DocumentPage { document } } } }`,
  );
  expect(shown).toEqual(space.page.document);
});

test('paths lead to content of the space, or of the change request', async () => {
  const links = async (input: object) => {
    const text = JSON.stringify(await preview({ pageId: ids.setup, ...input }));
    return [text.includes(ids.setup), text.includes(ids.proposed)];
  };
  expect(await links({})).toEqual([true, false]);
  expect(await links({ changeRequestId })).toEqual([true, true]);
  expect(await links({ changeRequestId: '1' })).toEqual([true, true]);
  expect(await links({ pageId: null })).toEqual([false, false]);
});

test('expressions and reusable contents are replaced on request', async () => {
  const product = { pageId: ids.guide, evaluated: 'TRUE' };
  expect(JSON.stringify(await preview(product))).toContain('Stemma');
  expect(JSON.stringify(await preview({ ...product, evaluated: 'FALSE' }))).toContain('page.vars.product');
  const included = { markdown: `{% include "reusable:${ids.note}" %}` };
  expect(JSON.stringify(await preview(included))).not.toContain('Mind the gap.');
  expect(JSON.stringify(await preview({ ...included, dereferenced: 'TRUE' }))).toContain('Mind the gap.');
});

test('an empty text is an empty document, and long ones are read too', async () => {
  expect((await preview({ markdown: '' })).nodes).toEqual(expect.any(Array));
  const long = 'Many words of prose. '.repeat(9_000);
  expect(JSON.stringify(await preview({ markdown: long }))).toContain('Many words');
});

test('nothing is written', async () => {
  const heads = async () => {
    const { space, changeRequest } = await admin.graphql(
      `{ space(id: "${spaceId}") { revision { id } } changeRequest(id: "${changeRequestId}") { revision { id } } }`,
    );
    return [space.revision.id, changeRequest.revision.id];
  };
  const before = await heads();
  await preview({ changeRequestId });
  expect(await heads()).toEqual(before);
});

test('the Markdown of a request is bounded, in one preview and in several', async () => {
  await expect(preview({ markdown: 'x'.repeat(200_001) })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  const several = `query ($spaceId: ID!, $markdown: String!) {
    a: previewMarkdown(spaceId: $spaceId, markdown: $markdown) { document }
    b: previewMarkdown(spaceId: $spaceId, markdown: $markdown) { document }
  }`;
  const { body } = await editor.graphqlRaw(several, { spaceId, markdown: 'x '.repeat(60_000) });
  expect(body.errors).toMatchObject([
    { extensions: { code: 'BAD_USER_INPUT', issues: [{ path: ['markdown'], code: 'TOO_LONG' }] } },
  ]);
  expect(Object.values(body.data).filter((found) => found === null)).toHaveLength(1);
});

test('a preview names a page of the content', async () => {
  for (const pageId of ['page_nothing', `${ids.guide}-in-${spaceId}`, ids.proposed])
    await expect(preview({ pageId })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      errors: [{ extensions: { issues: [{ path: ['pageId'], code: 'NOT_FOUND' }] } }],
    });
  expect(await preview({ pageId: ids.proposed, changeRequestId })).not.toBeNull();
});

test('a preview requires the role edit, and content that the caller sees', async () => {
  await expect(preview({}, commenter)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(preview({ markdown: 'x'.repeat(200_001) }, commenter)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(preview({}, anonymous)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  for (const by of [outsider, guest]) expect(await preview({}, by)).toBeUndefined();
  const { space } = await outsider.mutate(
    'createSpace',
    { organizationId: otherOrganizationId, title: 'Theirs' },
    'space { id }',
  );
  expect(await preview({ spaceId: space.id })).toBeUndefined();
  const theirs = await outsider.mutate('createChangeRequest', { spaceId: space.id }, 'changeRequest { id }');
  expect(await preview({ changeRequestId: theirs.changeRequest.id })).toBeUndefined();
});

test('links of a text are looked up together', async () => {
  const ask = async (links: number) => {
    const markdown = Array.from({ length: links }, (_, index) => `[${index}](page-${index}.md)`).join('\n\n');
    return statementsOf(await editor.graphqlRaw(QUERY, { spaceId, markdown, pageId: ids.guide }));
  };
  expect(await ask(30)).toBe(await ask(1));
});
