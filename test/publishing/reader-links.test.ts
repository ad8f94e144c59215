import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { anchorRules } from '../../src/lib/document/anchor-rules.ts';
import { textOf } from '../../src/lib/document/plain-text.ts';
import { parse } from '../lib/document/markdown-round-trip.ts';
import { world } from '../world.ts';
import { publishedSite, show, spaceWith } from './reader-world.ts';

const { admin, organizationId } = await world();

/** Headings as authors write them, with the anchors that GitHub gives them. */
const HEADINGS: [string, string][] = [
  ['Tips & Tricks', 'tips--tricks'],
  ['第一章 概要', '第一章-概要'],
  ['Loop（迴圈）', 'loop迴圈'],
  ['`code()` & more', 'code--more'],
  ['🚀 Launch', '-launch'],
  [':rocket: Take off', 'rocket-take-off'],
  ['Einführung', 'einf%C3%BChrung'],
  ['Same', 'same'],
  ['Same', 'same-1'],
  ['Same', 'same-2'],
  ["What's *new*?", 'whats-new'],
  ['A / B - C', 'a--b---c'],
  ['1.2.3 (beta)', '123-beta'],
  ['Set <a id="by-hand"></a>up', 'by-hand'],
  ['⚠️ Care', '-care'],
];

/** Titles with the characters that make anchors differ. */
const title = fc
  .array(
    fc.constantFrom(
      'Word',
      'two',
      '&',
      '🚀',
      '⚠️',
      '概要',
      'ß',
      'é',
      '`x()`',
      '-',
      '/',
      '1.',
      '(b)',
      '_y_',
      "'s",
      '+',
      '#1',
      'Ω',
    ),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((words) => words.join(' '));

const generated = fc.sample(fc.array(title, { minLength: 12, maxLength: 12 }), 3).flat();

/** The anchors of a title by all rules, and one that there is not. */
function anchorsOf(heading: string): string[] {
  const [block] = parse(`# ${heading}`).nodes;
  const text = block ? textOf(block) : '';
  return [...new Set(anchorRules.map((rule) => encodeURIComponent(rule(text)))), 'nowhere'];
}

const page = [...HEADINGS.map(([heading]) => heading), ...generated]
  .map((heading) => `## ${heading}\n\nText.`)
  .join('\n\n');
const anchors = [...new Set([...HEADINGS.map(([, anchor]) => anchor), ...generated.flatMap(anchorsOf)])];
const linksTo = (url: string) => anchors.map((anchor, index) => `* [L${index}](${url}#${anchor})`).join('\n');

const DETAILS =
  '\n\n<details>\n\n<summary>More & more</summary>\n\nInside.\n\n</details>\n\n{% tabs %}\n{% tab title="Über uns" %}\nTab.\n{% endtab %}\n{% endtabs %}\n\n* <a id="item"></a>An item\n\n| <a id="cell"></a>A | B |\n| --- | --- |\n| <a id="C"></a>c | d |\n';
const PARTS = ['more--more', 'über-uns', 'item', 'cell', 'C'];

let site: Awaited<ReturnType<typeof publishedSite>>;
let spaceId = '';
let ids: string[] = [];
let other = { spaceId: '', pageIds: [] as string[] };

beforeAll(async () => {
  ({ spaceId, pageIds: ids } = await spaceWith(admin, organizationId, 'Guide', [
    { title: 'Welcome', document: { markdown: 'Hello.' } },
    { title: 'Group', kind: 'GROUP' },
  ]));
  const reusable = await admin.mutate(
    'updateSpaceContent',
    {
      spaceId,
      changes: [
        {
          insertReusableContent: {
            title: 'Shared',
            document: { markdown: '# Für alle & jeden\n\n[R](#für-alle--jeden)' },
          },
        },
      ],
    },
    'insertedReusableContents { reusableContentId }',
  );
  other = await spaceWith(admin, organizationId, 'Other', [
    { title: 'Far', document: { markdown: `${page}${DETAILS}` } },
  ]);
  const far = `space:${other.spaceId}/page:${other.pageIds[0]}`;
  const parts = PARTS.map((anchor) => `* [P ${anchor}](${far}#${anchor})`).join('\n');
  const { pageIds } = await admin.mutate(
    'updateSpaceContent',
    {
      spaceId,
      changes: [
        { insertPage: { title: 'Target', parentId: ids[1], document: { markdown: `${page}\n\n${linksTo('')}` } } },
        { insertPage: { title: 'Near', parentId: ids[1], document: { markdown: linksTo('target.md') } } },
        { insertPage: { title: 'Across', document: { markdown: `${linksTo(far)}\n${parts}` } } },
        {
          insertPage: {
            title: 'Sharing',
            document: {
              markdown: `{% include "reusable:${reusable.insertedReusableContents[0].reusableContentId}" %}`,
            },
          },
        },
      ],
    },
    'pageIds',
  );
  ids.push(...pageIds);
  await admin.mutate(
    'updateSpaceContent',
    {
      spaceId,
      changes: [
        {
          insertPage: {
            kind: 'LINK',
            title: 'Straight',
            target: { kind: 'anchor', page: pageIds[0], anchor: 'tips--tricks' },
          },
        },
      ],
    },
    'pageIds',
  );
  site = await publishedSite(admin, organizationId, { title: 'Links', spaces: [spaceId, other.spaceId] });
}, 120_000);

interface FoundLink {
  status: string;
  ref: { kind: string; anchor?: string };
}

/** All links of a page, with their status. */
async function linksOf(pageId: string | undefined): Promise<FoundLink[]> {
  const found: FoundLink[] = [];
  for (let after: string | null = null; ; ) {
    const data: {
      space: {
        revision: { page: { links: { nodes: FoundLink[]; pageInfo: { endCursor: string; hasNextPage: boolean } } } };
      };
    } = await admin.graphql(
      `query ($id: ID!, $page: ID!, $after: String) { space(id: $id) { revision { page(pageId: $page) {
          links(first: 100, after: $after) { nodes { status ref } pageInfo { endCursor hasNextPage } } } } } }`,
      { id: spaceId, page: pageId, after },
    );
    const { nodes, pageInfo } = data.space.revision.page.links;
    found.push(...nodes);
    if (!pageInfo.hasNextPage) return found;
    after = pageInfo.endCursor;
  }
}

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** The links of a page that the site shows, by their text. */
async function shownLinks(path: string): Promise<Map<string, string>> {
  const { text } = await show(site.at(path));
  return new Map(
    [...text.matchAll(/<a href="([^"]*)">((?:L\d+|P [^<]+|R))<\/a>/g)].map(([, href = '', label = '']) => [
      label,
      unescaped(href),
    ]),
  );
}

const idsOn = async (url: string) =>
  new Set(
    [...(await (await fetch(new URL(url, site.at()))).text()).matchAll(/<[^<>]* id="([^"]*)"/g)].map(([, id = '']) =>
      unescaped(id),
    ),
  );

async function expectToLead(path: string, href: string | undefined) {
  expect(href).toBeDefined();
  const { pathname, hash } = new URL(href ?? '', site.at(path));
  expect([href, (await idsOn(pathname)).has(decodeURIComponent(hash.slice(1)))]).toEqual([href, true]);
}

describe.each([
  ['on the same page', () => ids[2], 'group/target'],
  ['of a page in the same folder', () => ids[3], 'group/near'],
  ['of a page in another space', () => ids[4], 'across'],
])('anchors %s', (_where, pageId, path) => {
  test('lead to an element if they count as OK, and those of GitHub do', async () => {
    const links = (await linksOf(pageId())).filter(({ ref }) => ref.kind === 'anchor');
    const shown = [...(await shownLinks(path))];
    expect(links.length).toBeGreaterThan(anchors.length - 1);
    expect(shown.length).toBe(links.length);
    const pages = new Map<string, Set<string>>();
    for (const [index, { status }] of links.entries()) {
      const [label = '', href = ''] = shown[index] ?? [];
      const { pathname, hash } = new URL(href, site.at(path));
      const found = pages.get(pathname) ?? (await idsOn(pathname));
      pages.set(pathname, found);
      const isThere = found.has(decodeURIComponent(hash.slice(1)));
      expect([label, anchors[Number(label.slice(1))], href, status]).toEqual([
        label,
        anchors[Number(label.slice(1))],
        href,
        isThere ? 'OK' : 'BROKEN',
      ]);
      if (index < HEADINGS.length || label.startsWith('P ')) expect(status).toBe('OK');
    }
  });
});

test('links of reusable contents and of the navigation lead to their elements', async () => {
  await expectToLead('sharing', (await shownLinks('sharing')).get('R'));
  const { text } = await show(site.at());
  const [, href] = /<a [^>]*href="([^"]*)"[^>]*>(?:<[^>]*>)*Straight/.exec(text) ?? [];
  await expectToLead('', href);
});

test('Markdown, llms-full.txt and MCP have absolute links with the same anchors', async () => {
  const { body } = await admin.get(site.path);
  const own = body.urls.published.replace(/\/$/, '');
  const expected = `[L0](${own}/group/target.md#tips-and-tricks)`;
  const near = await show(site.at('group/near.md'));
  expect(near.text).toContain(expected);
  const full = await show(site.at('llms-full.txt'));
  expect(full.text).toContain(expected);
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'getPage', arguments: { url: '/group/near' } },
  };
  const answer = await fetch(site.at('~gitbook/mcp'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
  });
  expect(await answer.text()).toContain(expected);
  for (const [, url = ''] of full.text.matchAll(/\]\((http[^)#\s]*\.md)(?:#[^)]*)?\)/g)) {
    expect([url, (await show(url.replace(own, site.at('').replace(/\/$/, '')))).status]).toEqual([url, 200]);
  }
  expect(full.text).not.toMatch(/\]\((?:\.\.?\/|[a-z-]+\.md|page:|space:)/);
});

test('Markdown shows no ids: links that readers cannot follow are text, and mentions are names', async () => {
  const { spaceId: hidden, pageIds } = await spaceWith(admin, organizationId, 'Hidden', [{ title: 'Unpublished' }]);
  const markdown = `[gone](space:${hidden}/page:${pageIds[0]}), [missing](missing.md), [root](/nowhere), [b](page:${ids[4]} "mention") and [m](user:${admin.userId} "mention").`;
  await admin.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ insertPage: { title: 'Ids', document: { markdown } } }] },
    'pageIds',
  );
  const { body } = await admin.get(site.path);
  const own = body.urls.published.replace(/\/$/, '');
  const { text } = await show(site.at('ids.md'));
  expect(text).toContain(`gone, missing, [root](${own}/nowhere), [Across](${own}/across.md) and @`);
  expect(text).not.toMatch(/(?:page|user|space)[:_]/);
});

test('the list for agents is at .well-known too', async () => {
  const { status, text } = await show(site.at('.well-known/llms.txt'));
  expect([status, text]).toEqual([200, (await show(site.at('llms.txt'))).text]);
});

test('evaluated documents have the anchors that are shown, and others those that were written', async () => {
  const path = `/v1/spaces/${spaceId}/content/page/${ids[3]}`;
  const shown = JSON.stringify((await admin.get(`${path}?evaluated=deterministic-only`)).body.document);
  expect(shown).toContain('"anchor":"tips-and-tricks"');
  expect(shown).not.toContain('tips--tricks');
  expect(JSON.stringify((await admin.get(path)).body.document)).toContain('"anchor":"tips--tricks"');
});
