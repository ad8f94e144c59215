import { beforeAll, describe, expect, test } from 'vitest';
import { world } from '../../world.ts';

const { admin, editor, reader, outsider, anonymous, organizationId } = await world();

const openApi = {
  type: 'builtin:openapi',
  props: { models: true },
  dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
};
const translation = {
  type: 'builtin:translation',
  props: {},
  dependencies: { translation: { ref: { kind: 'translation', translation: 'translation_1' } } },
};

let spaceId: string;
let pageId: string;

const compute = (what: 'document' | 'revision', source: unknown, by = reader) =>
  by.post(`/v1/spaces/${spaceId}/content/computed/${what}`, { source, seed: 'abc' });

beforeAll(async () => {
  spaceId = (await admin.mutate('createSpace', { organizationId, title: 'Docs', empty: true }, 'space { id }')).space
    .id;
  const changes = [
    { insertPage: { title: 'Written', document: { markdown: 'Words.' } } },
    { insertPage: { kind: 'COMPUTED', title: 'API', computed: openApi } },
  ];
  pageId = (await editor.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds')).pageIds[1];
});

describe('a computed page', () => {
  test('returns its source regardless of the parameter, since it cannot be computed', async () => {
    for (const query of ['', '?computed=true', '?computed=false']) {
      const { body } = await reader.get(`/v1/spaces/${spaceId}/content/pages${query}`);
      expect(body.pages[1]).toMatchObject({ id: pageId, type: 'computed', title: 'API', computed: openApi });
      const page = await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}${query}`);
      expect(page.body).toMatchObject({ id: pageId, type: 'computed', computed: openApi });
    }
    const query = `query($id: ID!) { space(id: $id) { revision(computed: false, metadata: false) {
      git { oid } pages { __typename ... on ComputedPage { pageId computed { type props dependencies } } } } } }`;
    const { revision } = (await reader.graphql(query, { id: spaceId })).space;
    expect(revision.git).toBeNull();
    expect(revision.pages[1]).toEqual({
      __typename: 'ComputedPage',
      pageId,
      computed: openApi,
    });
  });

  test('can be given another source, but not none', async () => {
    const update = (computed: unknown) =>
      editor.mutate('updateSpaceContent', { spaceId, changes: [{ updatePage: { pageId, computed } }] }, 'pageIds');
    await update(translation);
    expect((await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}`)).body.computed).toEqual(translation);
    await update(openApi);
    for (const wrong of [null, {}, { type: 'builtin:else', props: {} }, { type: 'builtin:openapi', props: {} }]) {
      await expect(update(wrong)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    }
  });

  test('limits the size and depth of the source', async () => {
    const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`);
    const filled = (props: Record<string, unknown>) => ({ ...openApi, props });
    const update = (props: Record<string, unknown>) =>
      editor.mutate(
        'updateSpaceContent',
        { spaceId, changes: [{ updatePage: { pageId, computed: filled(props) } }] },
        'pageIds',
      );
    await update({ models: ['Pet'] });
    const tooMuch = [
      { models: deep(10) },
      { models: deep(200) },
      { models: Array.from({ length: 1_000 }, () => 'a') },
      { models: ['a'.repeat(30_000)] },
      { ['a'.repeat(30_000)]: 1 },
    ];
    for (const props of tooMuch) {
      await expect(update(props)).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        message: expect.stringContaining('must have at most 1000 values, 10 levels and, as JSON, 30000 characters'),
      });
    }
    // The limit for request bodies rejects deeper nesting before the operation runs.
    await expect(update({ models: deep(2_000) })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    await update(openApi.props);
  });
});

describe('computing', () => {
  test('returns the original document without a translation', async () => {
    const { body } = await reader.get(`/v1/spaces/${spaceId}/content/pages`);
    const { documentId } = body.pages[0];
    const source = { type: 'builtin:translation', props: { space: spaceId, document: documentId } };
    const answer = await compute('document', source);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual((await reader.get(`/v1/spaces/${spaceId}/documents/${documentId}`)).body);
    const gone = { ...source, props: { ...source.props, document: 'doc_00000000000000000000000000' } };
    expect((await compute('document', gone)).status).toBe(400);
    expect((await compute('document', { ...source, props: { ...source.props, space: 'space_1' } })).status).toBe(400);
  });

  test.each(['document', 'revision'] as const)('of a %s refuses sources that do not exist', async (what) => {
    for (const source of [openApi, translation, { type: 'integration:notes:pages', props: {} }]) {
      const { status, body } = await compute(what, source);
      expect([source.type, status, body.error.issues[0].message]).toEqual([
        source.type,
        400,
        expect.stringMatching(/^must be an? /),
      ]);
    }
    expect((await compute(what, { type: 'builtin:translation', props: {} })).status).toBe(400);
    expect((await compute(what, { type: 'nothing', props: {} })).status).toBe(400);
  });

  test.each(['document', 'revision'] as const)('of a %s requires view access to the space', async (what) => {
    expect((await compute(what, openApi, outsider)).status).toBe(404);
    expect((await compute(what, {}, outsider)).status).toBe(404);
    expect((await compute(what, openApi, anonymous)).status).toBe(401);
  });
});
