import { beforeAll, describe, expect, test } from 'vitest';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { pets, petsWith, specifying } from './arrange.ts';

const here = await world({ WORKERS: '1' });
const { admin, editor, organizationId, outsider, reader } = here;
const { all, put } = specifying(here);

const source = (props: Record<string, unknown>, spec = 'included') => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
});

const PETS = source({ doc: 'operations', page: 'pets' });

/** A space with a computed content, one with a block, and pages that include them. */
async function makeDocs() {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs', empty: true }, 'space { id }');
  const block = '{% openapi-operation spec="included" path="/pets/{petId}" method="get" %}\n{% endopenapi-operation %}';
  const changes = [
    { insertReusableContent: { title: 'Computed', ref: 'computed', computed: PETS } },
    { insertReusableContent: { title: 'Block', ref: 'block', document: { markdown: block } } },
    {
      insertReusableContent: { title: 'Outer', ref: 'outer', document: { markdown: '{% include "reusable:block" %}' } },
    },
    { insertPage: { title: 'Includes computed', document: { markdown: '{% include "reusable:computed" %}' } } },
    { insertPage: { title: 'Includes a block', document: { markdown: '{% include "reusable:outer" %}' } } },
    { insertPage: { title: 'Includes nothing', document: { markdown: 'Words.' } } },
  ];
  const selection = 'pageIds insertedReusableContents { reusableContentId }';
  const made = await editor.mutate('updateSpaceContent', { spaceId: space.id, changes }, selection);
  const [contentId = ''] = made.insertedReusableContents.map(
    (each: { reusableContentId: string }) => each.reusableContentId,
  );
  return {
    spaceId: space.id as string,
    content: `/v1/spaces/${space.id}/content`,
    contentId,
    pageIds: made.pageIds as string[],
  };
}

let docs: Awaited<ReturnType<typeof makeDocs>>;
beforeAll(async () => {
  await put('included', { text: pets() });
  docs = await makeDocs();
});

const edit = (...changes: unknown[]) =>
  editor.mutate('updateSpaceContent', { spaceId: docs.spaceId, changes }, 'pageIds');
const at = (id = docs.contentId) => `${docs.content}/reusable-contents/${id}`;
const typesOf = ({ nodes }: { nodes: { type: string }[] }) => nodes.map(({ type }) => type);

describe('a computed reusable content', () => {
  test('has its source, and the state that it is in, unless it is read as its source', async () => {
    const shown = { id: docs.contentId, title: 'Computed', computed: PETS };
    const { body } = await reader.restAs('getReusableContentById', 'GET', at());
    expect(body).toEqual({ object: undefined, ...shown, computedSeed: expect.stringMatching(/^openapiversion_/) });
    expect((await reader.get(`${at()}?computed=false`)).body).toEqual(shown);
    const listed = async (query: string) =>
      (await reader.get(`${docs.content}/reusable-contents${query}`)).body.items.map(
        (each: { computedSeed?: string }) => each.computedSeed !== undefined,
      );
    expect(await listed('')).toEqual([true, false, false]);
    expect(await listed('?computed=false')).toEqual([false, false, false]);
    const { body: whole } = await reader.get(docs.content);
    expect(whole.reusableContents[0]).toMatchObject({ computed: PETS, computedSeed: body.computedSeed });
    expect((await outsider.get(at())).status).toBe(404);
  });

  test('has a body on both transports, as a document and as Markdown', async () => {
    const query = `query ($id: ID!, $content: ID!, $computed: Boolean) { space(id: $id) { revision(computed: $computed) { id
      reusableContent(id: $content) { computed { type props } computedSeed documentId document markdown
        shown: markdown(dereferenced: TRUE) } } } }`;
    const given = { id: docs.spaceId, content: docs.contentId };
    const { revision } = (await reader.graphql(query, given)).space;
    expect(revision.reusableContent).toMatchObject({
      computed: { type: 'builtin:openapi', props: PETS.props },
      documentId: null,
      markdown: expect.stringMatching(/^Animals\.\n\n\{% openapi-operation spec="included" path="\/pets" method="get"/),
      shown: expect.stringContaining('| `limit`'),
    });
    expect(typesOf(revision.reusableContent.document)).toEqual(['paragraph', 'openapi-operation', 'openapi-operation']);
    const document = `/v1/spaces/${docs.spaceId}/revisions/${revision.id}/reusable-contents/${docs.contentId}/document`;
    expect(typesOf((await reader.get(document)).body)).toEqual(typesOf(revision.reusableContent.document));
    const uncomputed = (await reader.graphql(query, { ...given, computed: false })).space.revision.reusableContent;
    expect(uncomputed).toMatchObject({ computed: { props: PETS.props }, computedSeed: null, markdown: '' });
  });

  test('shows the whole reference if its source names no page', async () => {
    const props = { models: true, grouping: 'by-operation' };
    const insert = { insertReusableContent: { title: 'Whole', computed: source(props) } };
    const selection = 'insertedReusableContents { id markdown }';
    const made = await editor.mutate('updateSpaceContent', { spaceId: docs.spaceId, changes: [insert] }, selection);
    const { markdown } = made.insertedReusableContents[0];
    expect(markdown.match(/^(?:#+ .*|\{% openapi-\w+)/gm)).toEqual([
      '## pets',
      '{% openapi-operation',
      '{% openapi-operation',
      '## Models',
      '{% openapi-schemas',
    ]);
    expect(markdown).toMatch(/^All about \*\*pets\*\*\./);
  });

  test('is shown on pages that include it, and follows the specification', async () => {
    await put('moving', { text: pets() });
    const { insertedReusableContents, pageIds } = await editor.mutate(
      'updateSpaceContent',
      {
        spaceId: docs.spaceId,
        changes: [
          { insertReusableContent: { title: 'Moving', ref: 'moving', computed: source(PETS.props, 'moving') } },
          { insertPage: { title: 'Moves', document: { markdown: '{% include "reusable:moving" %}' } } },
        ],
      },
      'pageIds insertedReusableContents { reusableContentId }',
    );
    const read = async (query: string) =>
      withoutTitle((await reader.get(`${docs.content}/page/${pageIds[0]}?format=markdown${query}`)).body.markdown);
    expect(await read('&dereferenced=true')).toContain('## List pets');
    expect(await read('&dereferenced=reusable-contents')).toContain('{% openapi-operation spec="moving" path="/pets"');
    const { reusableContentId } = insertedReusableContents[0];
    expect(await read('&dereferenced=true&computed=false')).toContain(`reusable:${reusableContentId}`);
    const ifChanged = (etag: string | null) =>
      reader.send('GET', docs.content, undefined, { 'if-none-match': etag ?? '' }).then(({ status }) => status);
    const etag = (await reader.get(docs.content)).headers.get('etag');
    expect(await ifChanged(etag)).toBe(304);
    await put('moving', {
      text: pets({ paths: { '/zoo': { get: { tags: ['pets'], summary: 'See', responses: {} } } } }),
    });
    expect(await read('&dereferenced=true')).toContain('## See');
    expect(await ifChanged(etag)).toBe(200);
  });

  test('can be given another source, but no body, and a written one no source', async () => {
    const reusableContentId = docs.contentId;
    await edit({ updateReusableContent: { reusableContentId, computed: source({ doc: 'models' }) } });
    expect((await reader.get(at())).body.computed.props).toEqual({ doc: 'models' });
    await edit({ updateReusableContent: { reusableContentId, title: 'Pets', computed: PETS } });
    expect((await reader.get(at())).body).toMatchObject({ title: 'Pets', computed: PETS });
    await edit({ updateReusableContent: { reusableContentId, title: 'Computed' } });
    const { items } = (await reader.get(`${docs.content}/reusable-contents`)).body;
    const document = { markdown: 'Words.' };
    for (const change of [
      { updateReusableContent: { reusableContentId, document } },
      { updateReusableContent: { reusableContentId: items[1].id, computed: PETS } },
      { insertReusableContent: { title: 'Both', document, computed: PETS } },
      { insertReusableContent: { title: 'Else', computed: { type: 'builtin:else', props: {} } } },
      { insertReusableContent: { title: 'Translated', computed: { type: 'builtin:translation', props: {} } } },
    ]) {
      await expect(edit(change)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    }
  });

  test('is edited in a change request, is among its changes, and is merged', async () => {
    const { changeRequest } = await editor.mutate(
      'createChangeRequest',
      { spaceId: docs.spaceId },
      'changeRequest { id }',
    );
    const changeRequestId = changeRequest.id;
    const change = {
      updateReusableContent: { reusableContentId: docs.contentId, computed: source({ doc: 'models' }) },
    };
    await editor.mutate('updateChangeRequestContent', { changeRequestId, changes: [change] }, 'pageIds');
    await edit({ updateReusableContent: { reusableContentId: docs.contentId, title: 'Renamed' } });
    const base = `/v1/spaces/${docs.spaceId}/change-requests/${changeRequestId}`;
    const { body } = await reader.get(`${base}/changes`);
    expect(body.changes).toMatchObject([
      {
        type: 'reusable_content_edited',
        attributes: { computed: { before: PETS, after: source({ doc: 'models' }) } },
      },
    ]);
    const own = await reader.get(`${base}/content/reusable-contents/${docs.contentId}`);
    expect(own.body).toMatchObject({ computed: { props: { doc: 'models' } }, computedSeed: expect.any(String) });
    expect((await admin.post(`${base}/merge`, {})).body.result).toBe('merge');
    expect((await reader.get(at())).body).toMatchObject({ title: 'Renamed', computed: { props: { doc: 'models' } } });
    await edit({ updateReusableContent: { reusableContentId: docs.contentId, title: 'Computed', computed: PETS } });
  });

  test('is copied with its space, and listed by its specification', async () => {
    const { space } = await admin.mutate('duplicateSpace', { spaceId: docs.spaceId }, 'space { id }');
    const copy = await reader.get(`/v1/spaces/${space.id}/content/reusable-contents/${docs.contentId}`);
    expect(copy.body.computed).toEqual(PETS);
    const { items } = (await reader.get(`${all}/included/backlinks?limit=100`)).body;
    const own = items.filter((each: { space: { id: string } }) => each.space.id === docs.spaceId);
    expect(own).toContainEqual(
      expect.objectContaining({
        kind: 'reusable-content',
        reusableContent: expect.objectContaining({ id: docs.contentId }),
      }),
    );
  });
});

test('pages are found by what the reusable contents that they include show', async () => {
  const titles = async (query: string) =>
    (await reader.get(`/v1/spaces/${docs.spaceId}/search?query=${query}`)).body.items.map(
      ({ title }: { title: string }) => title,
    );
  expect(await titles('listPets')).toContain('Includes computed');
  expect(await titles('listPets')).not.toContain('Includes a block');
  expect((await titles('getPet')).toSorted()).toEqual(['Includes a block', 'Includes computed']);
  const { paths } = petsWith();
  await put('included', { text: pets({ paths: { '/pets': paths['/pets'] } }) });
  expect(await titles('getPet')).toEqual([]);
});
