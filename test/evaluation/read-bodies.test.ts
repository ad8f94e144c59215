import { beforeAll, describe, expect, test } from 'vitest';
import { world } from '../world.ts';

const { admin, editor, reader, outsider, organizationId } = await world();

let spaceId: string;
let revisionId: string;
let guideId: string;
let setupId: string;

const expression = (source: string) => `<code class="expression">${source}</code>`;
const GUIDE = `Version ${expression('page.vars.version')} for ${expression('visitor.claims.plan')}.

{% if page.vars.released %}
It is out.
{% endif %}

{% if !page.vars.released %}
Soon.
{% endif %}
`;

beforeAll(async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs' }, 'space { id }');
  spaceId = space.id;
  const variables = { version: 'v2', released: true };
  const changes = [
    { insertPage: { title: 'Guide', variables, document: { markdown: GUIDE } } },
    { insertPage: { title: 'Setup', document: { markdown: 'Nothing yet.' } } },
  ];
  const inserted = await editor.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  [guideId, setupId] = inserted.pageIds;
  const markdown = `See [the guide](page:${guideId}), [itself](page:${setupId}#end), [gone](page:page_gone) and ![a](https://a.example/a.png).`;
  const linked = [
    { updatePage: { pageId: setupId, document: { markdown } } },
    { movePage: { pageId: setupId, parentId: guideId } },
  ];
  revisionId = (await editor.mutate('updateSpaceContent', { spaceId, changes: linked }, 'revision { id }')).revision.id;
});

/** A page's body over both transports, as Markdown. */
const markdownOf = async (pageId: string, query: string, args: string) => {
  const path = `/v1/spaces/${spaceId}/revisions/${revisionId}/page/${pageId}`;
  const { body, status } = await reader.get(`${path}?format=markdown&format.markdown.refs=stable&${query}`);
  expect(status).toBe(200);
  const data = await reader.graphql(
    `query($id: ID!, $page: ID) { space(id: $id) { revision { page(pageId: $page) { ... on DocumentPage { markdown${args} } } } } }`,
    { id: spaceId, page: pageId },
  );
  expect(data.space.revision.page.markdown).toBe(body.markdown);
  return body.markdown;
};

describe('evaluated', () => {
  test('false and nothing said give what was written', async () => {
    expect(await markdownOf(guideId, '', '')).toBe(GUIDE);
    expect(await markdownOf(guideId, 'evaluated=false', '(evaluated: FALSE)')).toBe(GUIDE);
  });

  test.each([
    ['true', 'TRUE'],
    ['deterministic-only', 'DETERMINISTIC_ONLY'],
  ])('%s replaces what can be evaluated, and what needs a visitor stays', async (rest, graph) => {
    expect(await markdownOf(guideId, `evaluated=${rest}`, `(evaluated: ${graph})`)).toBe(
      `Version v2 for ${expression('visitor.claims.plan')}.\n\nIt is out.\n`,
    );
  });

  test('goes for documents, by all their addresses', async () => {
    const revision = `/v1/spaces/${spaceId}/revisions/${revisionId}`;
    const { body } = await reader.get(`${revision}/page/${guideId}/document?evaluated=true`);
    expect(body.nodes.map(({ type }: { type: string }) => type)).toEqual(['paragraph', 'paragraph']);
    for (const path of [
      `${revision}/page/${guideId}`,
      `${revision}/path/guide`,
      `/v1/spaces/${spaceId}/content/page/${guideId}`,
      `/v1/spaces/${spaceId}/content/path/guide`,
    ]) {
      const answer = await reader.get(`${path}?evaluated=true`);
      expect([path, answer.body.document]).toEqual([path, body]);
    }
    const query =
      'query($id: ID!) { space(id: $id) { revision { page(path: "guide") { ... on DocumentPage { document(evaluated: TRUE) } } } } }';
    expect((await reader.graphql(query, { id: spaceId })).space.revision.page.document).toEqual(body);
  });

  test('refuses other words, once the caller may see the page', async () => {
    for (const query of ['evaluated=yes', 'dereferenced=some', 'format=html', 'format.markdown.refs=none']) {
      const path = `/v1/spaces/${spaceId}/content/page/${guideId}?${query}`;
      expect([query, (await reader.get(path)).status]).toEqual([query, 400]);
      expect([query, (await outsider.get(path)).status]).toEqual([query, 404]);
    }
  });
});

describe('references in Markdown', () => {
  test('are by id where they are to be stable', async () => {
    expect(await markdownOf(setupId, '', '')).toContain(`(page:${guideId})`);
  });

  test('are paths where they are relative, which is what REST gives when nothing is said', async () => {
    const relative = `See [the guide](../guide.md), [itself](#end), [gone](page:page_gone) and ![a](https://a.example/a.png).\n`;
    const path = `/v1/spaces/${spaceId}/content/page/${setupId}?format=markdown`;
    expect((await reader.get(path)).body.markdown).toBe(relative);
    expect((await reader.get(`${path}&format.markdown.refs=relative`)).body.markdown).toBe(relative);
    const query =
      'query($id: ID!, $page: ID) { space(id: $id) { revision { page(pageId: $page) { ... on DocumentPage { markdown(references: RELATIVE) } } } } }';
    const data = await reader.graphql(query, { id: spaceId, page: setupId });
    expect(data.space.revision.page.markdown).toBe(relative);
  });
});
