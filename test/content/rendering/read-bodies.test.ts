import { beforeAll, describe, expect, test } from 'vitest';
import { expressionScope } from '../../../src/domain/content/visibility/index.ts';
import { evaluateSource } from '../../../src/lib/expression/condition.ts';
import { type Client, statementsOf } from '../../client.ts';
import { linksIn, publishedSite, show, spaceWith } from '../../publishing/reader-world.ts';
import { visitorOf } from '../../publishing/visiting.ts';
import { sentStatements } from '../../sent-statements.ts';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';

const { app, url, admin, editor, reader, guest, outsider, anonymous, organizationId, grant } = await world();

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

/** The stable references of the graph as the paths that REST writes. */
const asPaths = (markdown: string) =>
  markdown.replaceAll(/(?:space:(space_\w{26})\/)?(page|reusable):(\w+_\w{26})/g, (_, space, kind, id) =>
    [...(space ? ['/spaces', space] : ['']), kind === 'page' ? 'pages' : 'reusable-content', id].join('/'),
  );

/** The body of a page from both transports, as Markdown. */
const markdownOf = async (pageId: string, query: string, args: string) => {
  const path = `/v1/spaces/${spaceId}/revisions/${revisionId}/page/${pageId}`;
  const { body, status } = await reader.get(`${path}?format=markdown&format.markdown.refs=stable&${query}`);
  expect(status).toBe(200);
  const data = await reader.graphql(
    `query($id: ID!, $page: ID) { space(id: $id) { revision { page(pageId: $page) { ... on DocumentPage { markdown${args} } } } } }`,
    { id: spaceId, page: pageId },
  );
  expect(asPaths(data.space.revision.page.markdown)).toBe(withoutTitle(body.markdown));
  return withoutTitle(body.markdown);
};

describe('evaluated', () => {
  test('false and the default return the stored text', async () => {
    expect(await markdownOf(guideId, '', '')).toBe(GUIDE);
    expect(await markdownOf(guideId, 'evaluated=false', '(evaluated: FALSE)')).toBe(GUIDE);
  });

  test.each([
    ['true', 'TRUE'],
    ['deterministic-only', 'DETERMINISTIC_ONLY'],
  ])('%s replaces expressions that can be evaluated, and keeps those that need a visitor', async (rest, graph) => {
    expect(await markdownOf(guideId, `evaluated=${rest}`, `(evaluated: ${graph})`)).toBe(
      `Version v2 for ${expression('visitor.claims.plan')}.\n\nIt is out.\n`,
    );
  });

  test('applies to documents in all routes', async () => {
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

  test('rejects other values, after checking access to the page', async () => {
    for (const query of ['evaluated=yes', 'dereferenced=some', 'format=html', 'format.markdown.refs=none']) {
      const path = `/v1/spaces/${spaceId}/content/page/${guideId}?${query}`;
      expect([query, (await reader.get(path)).status]).toEqual([query, 400]);
      expect([query, (await outsider.get(path)).status]).toEqual([query, 404]);
    }
  });
});

describe('references in Markdown', () => {
  test('are ids if they are stable', async () => {
    expect(await markdownOf(setupId, '', '')).toContain(`(/pages/${guideId})`);
  });

  test('are paths if they are relative, which is the default in REST', async () => {
    const relative = `See [the guide](../guide.md), [itself](setup.md#end), [gone](page:page_gone) and ![a](https://a.example/a.png).\n`;
    const path = `/v1/spaces/${spaceId}/content/page/${setupId}?format=markdown`;
    expect(withoutTitle((await reader.get(path)).body.markdown)).toBe(relative);
    expect((await reader.get(`${path}&format.markdown.refs=relative`)).body.markdown).toBe(`# Setup\n\n${relative}`);
    const query =
      'query($id: ID!, $page: ID) { space(id: $id) { revision { page(pageId: $page) { ... on DocumentPage { markdown(references: RELATIVE) } } } } }';
    const data = await reader.graphql(query, { id: spaceId, page: setupId });
    expect(data.space.revision.page.markdown).toBe(relative);
  });
});

test('a large body is printed in a worker, with the same result as a small one', async () => {
  const lines = Array.from({ length: 1_500 }, (_, i) => `${i}: [guide](page:${guideId}) and [x](toString) **${i}**`);
  const changes = [{ insertPage: { title: 'Large', document: { markdown: `${lines.join('\n\n')}\n` } } }];
  const { pageIds } = await editor.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  const path = `/v1/spaces/${spaceId}/content/page/${pageIds[0]}?format=markdown`;
  const [first, second, third] = await Promise.all([reader.get(path), reader.get(path), reader.get(path)]);
  expect(withoutTitle(first.body.markdown)).toBe(`${lines.join('\n\n').replaceAll(`page:${guideId}`, 'guide.md')}\n`);
  expect([second.body.markdown, third.body.markdown]).toEqual([first.body.markdown, first.body.markdown]);
});

describe('variables of the space and reusable contents', () => {
  let tipsId: string;
  let otherSpaceId: string;
  let tourId: string;

  beforeAll(async () => {
    otherSpaceId = (await admin.mutate('createSpace', { organizationId, title: 'Other' }, 'space { id }')).space.id;
    const shared = [
      { setVariables: { variables: { product: 'Other' } } },
      { insertPage: { title: 'Elsewhere', ref: 'elsewhere' } },
      {
        insertReusableContent: {
          title: 'Shared',
          ref: 'shared',
          document: { markdown: `${expression('space.vars.product')}: [more](page:elsewhere).` },
        },
      },
    ];
    await editor.mutate('updateSpaceContent', { spaceId: otherSpaceId, changes: shared }, 'revision { id }');
    const query =
      'query($id: ID!) { space(id: $id) { revision { reusableContents { nodes { reusableContentId } } } } }';
    const [sharedNode] = (await reader.graphql(query, { id: otherSpaceId })).space.revision.reusableContents.nodes;
    const tips = `Use ${expression('space.vars.product')} ${expression('page.vars.version')}.`;
    const tour = [
      'Begin.',
      '{% include "reusable:tips" %}',
      `{% include "space:${otherSpaceId}/reusable:${sharedNode.reusableContentId}" %}`,
      '{% include "reusable:reusable_gone" %}',
    ].join('\n\n');
    const changes = [
      { setVariables: { variables: { product: 'Stemma' } } },
      { insertReusableContent: { title: 'Tips', ref: 'tips', document: { markdown: tips } } },
      { insertPage: { title: 'Tour', variables: { version: 'v3' }, document: { markdown: tour } } },
    ];
    const { revision, pageIds } = await editor.mutate(
      'updateSpaceContent',
      { spaceId, changes },
      'revision { id reusableContents { nodes { reusableContentId } } } pageIds',
    );
    revisionId = revision.id;
    tipsId = revision.reusableContents.nodes[0].reusableContentId;
    tourId = pageIds.at(-1);
  });

  test('replace references, each with the variables of its own space', async () => {
    const text = await markdownOf(
      tourId,
      'evaluated=deterministic-only&dereferenced=reusable-contents',
      '(evaluated: DETERMINISTIC_ONLY, dereferenced: REUSABLE_CONTENTS)',
    );
    const lines = text.trim().split('\n\n');
    expect(lines[0]).toBe('Begin.');
    expect(lines[1]).toBe('Use Stemma v3.');
    expect(lines[2]).toMatch(new RegExp(`^Other: \\[more\\]\\(/spaces/${otherSpaceId}/pages/page_\\w+\\)\\.$`));
    expect(lines[3]).toBe('{% include "reusable:reusable_gone" %}');
  });

  test('are not included by default', async () => {
    const text = await markdownOf(tourId, 'evaluated=true', '(evaluated: TRUE)');
    expect(text).toContain(`{% include "/reusable-content/${tipsId}" %}`);
  });

  test('take as many statements for many pages as for one', async () => {
    const query = `query($id: ID!) { space(id: $id) { revision { pages { ... on DocumentPage {
      markdown(evaluated: TRUE, dereferenced: TRUE, references: RELATIVE) } } } } }`;
    const statements = async () => statementsOf(await reader.graphqlRaw(query, { id: spaceId }));
    const few = await statements();
    const elsewhere = (await admin.mutate('createSpace', { organizationId, title: 'Third' }, 'space { id }')).space.id;
    const body = `{% include "reusable:${tipsId}" %}\n\n{% include "space:${elsewhere}/reusable:reusable_x" %}\n\n[a](page:${guideId})`;
    const changes = Array.from({ length: 8 }, (_, i) => ({
      insertPage: { title: `More ${i}`, document: { markdown: `${i}\n\n${body}` } },
    }));
    await editor.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id }');
    expect(await statements()).toBe(few);
  });

  test('of a space that the caller cannot view stay references', async () => {
    await grant(spaceId, guest.userId, 'read');
    const path = `/v1/spaces/${spaceId}/content/page/${tourId}?format=markdown&dereferenced=true`;
    const { body } = await guest.get(path);
    expect(body.markdown).toContain('Use ');
    expect(body.markdown).toContain(`{% include "space:${otherSpaceId}/reusable:`);
    expect(body.markdown).not.toContain('more');
  });

  test('on their own are evaluated without page variables', async () => {
    const path = `/v1/spaces/${spaceId}/revisions/${revisionId}/reusable-contents/${tipsId}/document?evaluated=true`;
    const { body } = await reader.get(path);
    expect(JSON.stringify(body)).toContain('Stemma');
    expect(JSON.stringify(body)).toContain('page.vars.version');
    const query = `query($id: ID!) { space(id: $id) { revision { reusableContents { nodes {
      document(evaluated: TRUE) markdown(evaluated: TRUE) } } } } }`;
    const [node] = (await reader.graphql(query, { id: spaceId })).space.revision.reusableContents.nodes;
    expect(node.document).toEqual(body);
    expect(node.markdown).toBe(`Use Stemma ${expression('page.vars.version')}.\n`);
    expect((await reader.get(path.replace('=true', '=maybe'))).status).toBe(400);
  });
});

test('a visitor sees content depending on their claims, and other readers do not', async () => {
  const row = await app.services.db
    .selectFrom('revision')
    .where('id', '=', revisionId)
    .selectAll()
    .executeTakeFirstOrThrow();
  const visit = {
    organizationId: row.organizationId,
    siteId: 'site_1',
    spaceIds: new Set([row.spaceId]),
    hiddenIds: new Set<string>(),
    claims: { plan: 'pro' },
  };
  const ctx = {
    services: app.services,
    em: app.services.em.fork(),
    db: app.services.db,
    log: app.services.log,
    requestId: 'visit',
    inTransaction: false,
    actor: { kind: 'visitor' as const, visits: [visit] },
  };
  const claim = async (evaluated: 'true' | 'deterministic-only') =>
    evaluateSource(
      'visitor.claims.plan == "pro" && !visitor.claims.unsigned.beta',
      await expressionScope(ctx, evaluated, row),
    );
  expect(await claim('true')).toEqual({ value: true });
  expect(await claim('deterministic-only')).toEqual({ unknown: 'visitor is not defined.' });
});

test('comments in Markdown are read by members only, not by readers of a published site', async () => {
  const markdown = 'Seen.\n\n<!-- between authors -->\n\nSeen too.\n';
  const published = await spaceWith(admin, organizationId, 'Commented', [{ title: 'Start', document: { markdown } }]);
  const site = await publishedSite(admin, organizationId, {
    title: 'Commented',
    visibility: 'public',
    spaces: [published.spaceId],
  });
  const at = `/v1/spaces/${published.spaceId}/content/page/${published.pageIds[0]}`;
  const textsFor = async (client: Client) => {
    const forms = ['relative', 'stable', 'written'].map((refs) => `?format=markdown&format.markdown.refs=${refs}`);
    const pages = await Promise.all(forms.map((query) => client.get(`${at}${query}`)));
    return [...pages.map(({ body }) => withoutTitle(body.markdown)), (await client.get(`${at}/text`)).body.text];
  };
  const visitor = await visitorOf(app, url, site.id);
  for (const client of [reader, anonymous, visitor, outsider, reader]) {
    const expected = client === reader ? markdown : 'Seen.\n\nSeen too.\n';
    expect(await textsFor(client)).toEqual(Array(4).fill(expected));
  }
});

test('a page that links to anchors of many pages is read with few of their bodies at a time', async () => {
  const linked = Array.from({ length: 45 }, (_, i) => ({
    title: `Linked ${i}`,
    document: { markdown: `# Über ${i}\n\nWords.` },
  }));
  const { spaceId: manualId, pageIds } = await spaceWith(admin, organizationId, 'Manual', linked);
  // GitHub's anchor of the heading.
  const markdown = pageIds.map((id, i) => `[${i}](page:${id}#über-${i})`).join('\n\n');
  const changes = [{ insertPage: { title: 'Index', document: { markdown } } }];
  const [indexId] = (await admin.mutate('updateSpaceContent', { spaceId: manualId, changes }, 'pageIds')).pageIds;
  const site = await publishedSite(admin, organizationId, {
    title: 'Manual',
    visibility: 'public',
    spaces: [manualId],
  });
  const sent = sentStatements();
  const path = `/v1/spaces/${manualId}/content/page/${indexId}?format=markdown&format.markdown.refs=stable&evaluated=true`;
  const { body } = await admin.get(path);
  const linksOfPage = linksIn(await show(site.at('index')));
  for (const [i, id] of pageIds.entries()) {
    expect(body.markdown).toContain(`(/pages/${id}#uber-${i})`);
    expect(linksOfPage.filter((link) => link.endsWith(`#uber-${i}`))).toHaveLength(1);
  }
  const read = sent.flatMap(({ text, rows }) => (/d\.body, d\.markdown\b/.test(text) ? rows : []));
  expect(Math.max(...read)).toBeGreaterThan(1);
  expect(Math.max(...read)).toBeLessThanOrEqual(20);
});
