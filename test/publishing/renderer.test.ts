import { beforeAll, expect, test } from 'vitest';
import { Client, type RestAnswer } from '../client.ts';
import { pets, specifying } from '../sources/openapi/arrange.ts';
import { world } from '../world.ts';
import { siteWith } from './arrange.ts';
import { show } from './reader-world.ts';

/*
 * What an independent site renderer calls, as it calls it, with the members that it cannot do without. Every answer has
 * the published shape as well.
 */

const here = await world({ WORKERS: '1' });
const { app, url, admin, creator, outsider, anonymous, organizationId } = here;
const { put } = specifying(here);

const RICH = `Text with **bold**, a [link](https://example.com/) and \`code\`.

## 1. Create a

### TLS/SSL x

#### Math & TeX

- one
  - two

1. first

- [x] done

{% hint style="warning" %}
Careful.
{% endhint %}

| A | B |
|---|---|
| 1 | 2 |

\`\`\`js
let x = 1;
\`\`\`

{% tabs %}
{% tab title="One" %}
First.
{% endtab %}
{% tab title="Two" %}
Second.
{% endtab %}
{% endtabs %}

<details>

<summary>More</summary>

Inside.

</details>

> quoted

---

{% if visitor.claims.unsigned.beta == true %}
Only for beta.
{% endif %}

{% openapi-operation spec="pets" path="/pets" method="get" %}
[Pets](https://pets.example/)
{% endopenapi-operation %}
`;

let site: Awaited<ReturnType<typeof siteWith>>;
let base = '';
const space: Record<string, string> = {};
let pageId = '';
let lookup: Record<string, string> = {};
let renderer: Client;

beforeAll(async () => {
  await put('pets', { text: pets() });
  for (const title of ['Guides', 'API']) {
    const changes = [
      { operation: 'insert_page', title: 'Start', description: 'Begin.', document: { markdown: RICH } },
      { operation: 'insert_page', title: 'Setup', document: { markdown: 'Install the quokka.' } },
    ];
    const { body } = await creator.post(`/v1/orgs/${organizationId}/spaces`, { title, empty: true });
    expect((await creator.post(`/v1/spaces/${body.id}/content`, { changes })).status).toBe(200);
    space[title] = body.id;
  }
  site = await siteWith(creator, organizationId, { title: 'Docs', spaces: Object.values(space) });
  await creator.post(`${site.path}/sections`, { spaceId: space.API, title: 'Reference' });
  await creator.post(`${site.path}/publish`);
  base = `${app.services.config.sitesUrl}/${organizationId}/${site.body.basename}`;
  lookup = (await resolve(`${base}/setup`)).body;
  renderer = new Client(url, lookup.apiToken);
  pageId = (await renderer.get(`/v1/spaces/${lookup.space}/content/pages`)).body.pages[0].id;
});

const resolve = (address: string) =>
  anonymous.restAs(
    'resolvePublishedContentByUrl',
    'POST',
    '/v1/urls/published',
    { url: address, visitor: { unsignedClaims: {}, type: 'human' }, redirectOnError: false },
    { beyond: true },
  );
const ask = async (operationId: string, path: string): Promise<RestAnswer['body']> => {
  const { status, body } = await renderer.restAs(operationId, 'GET', path, undefined, { beyond: true });
  expect([path, status, body.error?.message]).toEqual([path, 200, undefined]);
  return body;
};
const revision = () => `/v1/spaces/${lookup.space}/revisions/${revisionId}`;
let revisionId = '';
beforeAll(async () => {
  revisionId = (await renderer.get(`/v1/spaces/${lookup.space}`)).body.revision;
});

/** Expects members by their paths; `*` stands for every item of a list. */
function expectMembers(body: unknown, paths: readonly string[]): void {
  const missing = paths.filter((path) => !has(body, path.split('.')));
  expect(missing).toEqual([]);
}

function has(value: unknown, [name, ...rest]: string[]): boolean {
  if (name === undefined) return value !== undefined;
  if (name === '*') return Array.isArray(value) && value.length > 0 && value.every((item) => has(item, rest));
  return typeof value === 'object' && value !== null && name in value && has(value[name as keyof typeof value], rest);
}

test('every request: resolves the prefixes of a URL in parallel, and takes the longest complete one', async () => {
  const { origin, pathname } = new URL(`${base}/reference/setup`);
  const segments = pathname.slice(1).split('/');
  const prefixes = [0, 1, 2, 3, 4, segments.length].map((count) => `${origin}/${segments.slice(0, count).join('/')}`);
  const answers = await Promise.all(prefixes.map(resolve));
  expect(answers.map(({ status, body }) => (status === 200 ? body.complete : status))).toEqual([
    404,
    404,
    404,
    false,
    true,
    true,
  ]);
  const { body } = answers.at(-1) ?? {};
  expectMembers(body, ['organization', 'site', 'siteSection', 'siteSpace', 'space', 'apiToken', 'canonicalUrl']);
  expect(body).toMatchObject({
    pathname: '/setup',
    basePath: `/${segments.slice(0, 4).join('/')}/`,
    siteBasePath: `/${segments.slice(0, 3).join('/')}/`,
  });
});

test('every page: the published profile', async () => {
  const body = await ask('getPublishedContentSite', `${site.path}/published`);
  expectMembers(body, ['site.id', 'site.title', 'site.visibility', 'site.urls.published', 'structure.type', 'scripts']);
  expectMembers(
    body.structure.structure.flatMap((section: { siteSpaces: unknown[] }) => section.siteSpaces),
    [
      'id',
      'title',
      'path',
      'default',
      'urls.published',
      'space.id',
      'space.title',
      'space.organization',
      'space.revision',
      'space.urls',
    ].map((member) => `*.${member}`),
  );
  expect(body.customizations.siteSpaces).toEqual({});
  const colors = ['primary', 'info', 'success', 'warning', 'danger'].flatMap((name) => [
    `styling.${name}Color.light`,
    `styling.${name}Color.dark`,
  ]);
  expectMembers(body.customizations.site, [
    ...colors,
    ...[
      'styling.font',
      'styling.codeTheme',
      'internationalization.locale',
      'favicon',
      'header.links',
      'footer',
      'themes',
    ],
    ...['feedback', 'ai', 'externalLinks', 'pagination.enabled', 'pageActions.items', 'trademark', 'privacyPolicy'],
    ...['socialPreview', 'socialAccounts'],
  ]);
});

test('every page: the space and its revision, with all pages', async () => {
  const shown = await ask('getSpaceById', `/v1/spaces/${lookup.space}`);
  expectMembers(shown, ['id', 'title', 'organization', 'revision', 'urls']);
  const body = await ask('getRevisionById', `${revision()}?metadata=true`);
  expectMembers(body, ['id', 'type', 'urls', 'pages', 'files']);
  expectMembers(
    body.pages,
    ['id', 'type', 'title', 'path', 'pages', 'tags', 'layout'].map((member) => `*.${member}`),
  );
  const layout = Object.keys(body.pages[0].layout).sort();
  expect(layout).toEqual(
    expect.arrayContaining(['cover', 'description', 'outline', 'pagination', 'tableOfContents', 'title']),
  );
  expect([body.pages[0].tags, body.pages[0].title]).toEqual([[], 'Start']);
});

test('HTML page: the evaluated document, in the nodes that a renderer knows', async () => {
  const path = `${revision()}/page/${pageId}/document?evaluated=deterministic-only&dereferenced=reusable-contents`;
  const document = await ask('getPageDocumentInRevisionById', path);
  expect(document).toMatchObject({ object: 'document', data: { schemaVersion: 8 } });
  const [keys, types] = [[] as string[], new Set<string>()];
  const walk = (node: Record<string, unknown>): void => {
    if (typeof node.key === 'string') keys.push(node.key);
    if (node.object === 'text') {
      for (const leaf of node.leaves as Record<string, unknown>[])
        expect(leaf).toMatchObject({ object: 'leaf', marks: expect.any(Array) });
      return;
    }
    if (node.object === 'block') {
      types.add(String(node.type));
      expect([node.type, typeof node.data, typeof node.key]).toEqual([node.type, 'object', 'string']);
    }
    for (const below of [...((node.nodes ?? []) as []), ...((node.fragments ?? []) as [])]) walk(below);
  };
  walk(document);
  expect(new Set(keys).size).toBe(keys.length);
  expect([...types]).toEqual(
    expect.arrayContaining([
      ...[
        'paragraph',
        'heading-1',
        'heading-2',
        'heading-3',
        'list-unordered',
        'list-ordered',
        'list-tasks',
        'list-item',
      ],
      ...[
        'code',
        'code-line',
        'hint',
        'table',
        'tabs',
        'tabs-item',
        'expandable',
        'blockquote',
        'divider',
        'openapi-operation',
      ],
    ]),
  );
  expect(types).not.toContain('if');
  const anchors = document.nodes.flatMap(({ meta }: { meta?: { id?: string } }) => meta?.id ?? []);
  expect(anchors).toEqual(expect.arrayContaining(['id-1.-create-a', 'tls-ssl-x', 'math-and-tex']));
  const operation = document.nodes.find(({ type }: { type: string }) => type === 'openapi-operation');
  expect(operation.data).toMatchObject({ ref: { kind: 'openapi', spec: 'pets' }, path: '/pets', method: 'get' });
  expect(JSON.stringify(document)).not.toContain('Only for beta');
});

test('HTML page: links for search engines', async () => {
  await ask('listRevisionPageMetaLinks', `${revision()}/page/${pageId}/meta-links`);
});

test('unknown path: a redirect, else the page by its path; both can be absent', async () => {
  const redirect = (source: string) =>
    renderer.restAs(
      'getSiteRedirectBySource',
      'GET',
      `${site.path}/redirect?source=${encodeURIComponent(source)}`,
      undefined,
      {
        beyond: true,
      },
    );
  const destination = { kind: 'external', url: 'https://acme.com/' };
  await creator.post(`${site.path}/redirects`, { source: '/old', destination });
  expect((await redirect('/old')).body.target).toBe('https://acme.com/');
  expect((await redirect('/nowhere')).status).toBe(404);
  expect((await ask('getPageInRevisionByPath', `${revision()}/path/setup`)).title).toBe('Setup');
  expect((await ask('getPageInRevisionByPath', `${revision()}/path/%2F`)).title).toBe('Start');
  expect((await renderer.get(`${revision()}/path/no%2Fwhere`)).status).toBe(404);
});

test('page.md and llms-full.txt: the Markdown of a page', async () => {
  const path = `${revision()}/page/${pageId}?format=markdown&format.markdown.refs=stable`;
  const { markdown } = await ask('getPageInRevisionById', path);
  expect(markdown).toMatch(/^# /);
  expect(markdown).toContain('{% hint style="warning" %}');
});

test('search: in each form of the body', async () => {
  const all = [
    { mode: 'all' },
    { mode: 'current', siteSpaceId: lookup.siteSpace },
    { mode: 'specific', siteSpaceIds: [lookup.siteSpace] },
    { scope: { mode: 'default', currentSiteSpace: lookup.siteSpace } },
  ];
  for (const scope of all) {
    const path = `${site.path}/search`;
    const { body } = await renderer.restAs(
      'searchSiteContent',
      'POST',
      path,
      { query: 'quokka', ...scope },
      { beyond: true },
    );
    expectMembers(
      body.items,
      ['type', 'id', 'pages.*.id', 'pages.*.title', 'pages.*.path', 'pages.*.score'].map((member) => `*.${member}`),
    );
    expectMembers(body.items[0].pages[0], [
      'ancestors',
      'sections.*.id',
      'sections.*.title',
      'sections.*.path',
      'sections.*.body',
      'sections.*.score',
    ]);
  }
});

test('OpenAPI block: the content of its specification, and of no other', async () => {
  const contentOf = (slug: string) => `/v1/orgs/${organizationId}/openapi/${slug}/versions/latest/content`;
  const body = await ask('getLatestOpenAPISpecVersionContent', contentOf('pets'));
  expectMembers(body, [
    'filesystem.*.filename',
    'filesystem.*.isEntrypoint',
    'filesystem.*.specification',
    'urls.source',
    'urls.public',
  ]);
  await put('secret', { text: pets() });
  expect((await renderer.get(contentOf('secret'))).status).toBe(404);
  expect((await anonymous.get(contentOf('pets'))).status).toBe(401);
  await creator.post(`${site.path}/unpublish`);
  expect((await renderer.get(contentOf('pets'))).status).toBe(404);
  await creator.post(`${site.path}/publish`);
});

test('Stemma itself shows the same page, with what the specification says of the operation', async () => {
  const { status, text } = await show(`${url}${new URL(base).pathname}/`);
  expect(status).toBe(200);
  for (const part of [
    'List pets',
    '/pets',
    'limit',
    'id="tls-ssl-x"',
    'class="hint warning"',
    '<table',
    '<summary>More',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('Only for beta');
});

test('resolving tolerates members that it does not know, such as those of renderers after an expired token', async () => {
  const { status, body } = await anonymous.restAs(
    'resolvePublishedContentByUrl',
    'POST',
    '/v1/urls/published',
    { url: base, visitor: { type: 'human' }, redirectOnError: false, cacheBust: 'x' },
    { beyond: true },
  );
  expect([status, body.site]).toEqual([200, site.id]);
});

test('mentions: users of the organization by name, and nobody else', async () => {
  const user = await ask('getUserById', `/v1/users/${creator.userId}`);
  expectMembers(user, ['id', 'displayName']);
  expect(user).not.toHaveProperty('email');
  expect((await renderer.get(`/v1/users/${outsider.userId}`)).status).toBe(404);
  expect((await anonymous.get(`/v1/users/${creator.userId}`)).status).toBe(401);
});

test('single documents: by id, and of reusable contents, evaluated', async () => {
  const page = await ask('getPageInRevisionById', `${revision()}/page/${pageId}`);
  expect((await ask('getDocumentById', `/v1/spaces/${lookup.space}/documents/${page.documentId}`)).object).toBe(
    'document',
  );
  const { insertedReusableContents: made } = await creator.mutate(
    'updateSpaceContent',
    {
      spaceId: lookup.space,
      changes: [{ insertReusableContent: { title: 'Note', document: { markdown: '{{ 1 + 1 }} notes.' } } }],
    },
    'insertedReusableContents { reusableContentId }',
  );
  const head = (await renderer.get(`/v1/spaces/${lookup.space}`)).body.revision;
  const path = `/v1/spaces/${lookup.space}/revisions/${head}/reusable-contents/${made[0].reusableContentId}/document`;
  const document = await ask('getReusableContentDocumentInRevisionById', `${path}?evaluated=true`);
  expect(document.object).toBe('document');
});

test('embeds: a card for a URL, made from the URL alone if nothing responds', async () => {
  const url = encodeURIComponent('https://unreachable.invalid/page');
  expectMembers(await ask('getEmbedByUrlInSpace', `/v1/spaces/${lookup.space}/embed?url=${url}`), [
    'type',
    'title',
    'site',
  ]);
});

test('tracking: events of visitors', async () => {
  const event = { type: 'page_view', location: { url: `${base}/setup`, siteSpace: lookup.siteSpace, page: pageId } };
  const { status } = await renderer.post(`${site.path}/insights/events`, { events: [event] });
  expect(status).toBeLessThan(300);
});

test('previews: change requests and revisions, for members', async () => {
  const { body } = await creator.post(`/v1/spaces/${lookup.space}/change-requests`, { subject: 'Better' });
  const at = `/v1/spaces/${lookup.space}/change-requests/${body.id}`;
  const member = (operationId: string, path: string) =>
    creator.restAs(operationId, 'GET', path, undefined, { beyond: true });
  expect((await member('getChangeRequestById', at)).body.id).toBe(body.id);
  expectMembers((await member('getChangeRequestChanges', `${at}/changes?limit=100`)).body, ['changes']);
  const changes = `${revision()}/changes?computed=false&limit=100&metadata=false`;
  expectMembers((await member('getRevisionSemanticChanges', changes)).body, ['changes']);
  expect((await renderer.get(at)).status).toBe(403);
});

test('the token of a visitor reads the site and nothing else of the organization', async () => {
  expect(lookup.apiToken?.split('.')).toHaveLength(3);
  expect((await renderer.get(`/v1/orgs/${organizationId}/members`)).status).toBe(403);
  expect((await admin.get(`/v1/orgs/${organizationId}/members`)).status).toBe(200);
});

test('assistants and integrations: the profile offers none, and their calls find nothing', async () => {
  const { customizations, scripts } = (await renderer.get(`${site.path}/published`)).body;
  expect([customizations.site.ai.mode, scripts]).toEqual(['none', []]);
  const question = { question: 'How?', scope: { mode: 'default' } };
  for (const [method, path, body] of [
    ['POST', `${site.path}/ask?format=markdown`, question],
    ['GET', `${site.path}/ask/questions`, undefined],
    ['POST', `${site.path}/ai/response`, { input: [] }],
    ['POST', `${site.path}/agent-feedback`, { feedback: 'Good.', url: base, spaceId: lookup.space, pageId }],
    ['POST', '/v1/integrations/mermaid/render', { componentId: 'diagram', props: {} }],
  ] as const) {
    const answer = await renderer.send(method, path, body);
    expect([path, answer.status, answer.body.error.code]).toEqual([path, 404, 404]);
  }
});
