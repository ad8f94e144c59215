import { describe, expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { readMdx } from '../../../src/lib/foreign-formats/mdx.ts';
import { mintlifyContents } from '../../../src/lib/foreign-formats/mintlify.ts';
import { vitepressContents } from '../../../src/lib/foreign-formats/vitepress.ts';
import { splitTitle } from '../../../src/lib/repository/title.ts';

const converted = (mdx: string) => {
  const unknown: string[] = [];
  const markdown = readMdx(mdx, undefined, (name) => unknown.push(name));
  return { markdown: printMarkdown(parseMarkdown(markdown).document), unknown };
};

describe('components that sites share', () => {
  test.each([
    ['<Note>Inline.</Note>', '{% hint style="info" %}\nInline.\n{% endhint %}\n'],
    [
      '<Callout type="warning" title="Mind">\n  Careful.\n</Callout>',
      '{% hint style="warning" %}\n**Mind**\n\nCareful.\n{% endhint %}\n',
    ],
    [
      '<Accordion title="Why `x`?">\nBecause.\n</Accordion>',
      '<details>\n\n<summary>Why <code>x</code>?</summary>\n\nBecause.\n\n</details>\n',
    ],
    ['<Card title="Quick" href="/q">\n  Start.\n</Card>', '[**Quick**](/q)\n\nStart.\n'],
    [
      '<Steps>\n<Step title="Go">\n  Run.\n</Step>\n</Steps>',
      '{% stepper %}\n{% step %}\n### Go\n\nRun.\n{% endstep %}\n{% endstepper %}\n',
    ],
    ['<Steps>\n\n### Go\n\nRun.\n\n</Steps>', '### Go\n\nRun.\n'],
    [
      '<CodeGroup>\n```js a.js\n1\n```\n</CodeGroup>',
      '{% tabs %}\n{% tab title="a.js" %}\n```js\n1\n```\n{% endtab %}\n{% endtabs %}\n',
    ],
    ['<Frame caption="Below">\n![a](b.png)\n</Frame>', '![a](b.png)\n\nBelow\n'],
    [
      '<ParamField path="id" type="string" required>\nThe id.\n</ParamField>',
      '**`id`** `string` required\n\nThe id.\n',
    ],
    ['A <Icon icon="flag" /> and <Link href="/b">B</Link>.', 'A <i class="fa-flag">:flag:</i> and [B](/b).\n'],
    ['* a\n\n  <Tip>\n  b\n  </Tip>', '* a\n\n  {% hint style="success" %}\n  b\n  {% endhint %}\n'],
    ['$$a<b$$ and $$\\frac{a}{b}$$', '$$a<b$$ and $$\\frac{a}{b}$$\n'],
  ])('%s', (mdx, markdown) => {
    expect(converted(mdx)).toEqual({ markdown, unknown: [] });
  });

  test('others are named, and their text is kept', () => {
    expect(converted('<Odd label="L">\nText.\n</Odd>\n\n<Odd>x</Odd>\n')).toEqual({
      markdown: 'L\n\nText.\n\nx\n',
      unknown: ['Odd', 'Odd'],
    });
  });
});

test.each([
  ['## Title {/*own-id*/}', '## Title <a href="#own-id" id="own-id"></a>\n'],
  ['## Title {#own-id}', '## Title <a href="#own-id" id="own-id"></a>\n'],
])('%s has its id as an anchor', (mdx, markdown) => {
  expect(converted(mdx).markdown).toBe(markdown);
});

test.each([
  ['# Title {#id}\n', 'Title'],
  ['# Title {: #id .c } #\n', 'Title'],
  ['# Of {braces}\n', 'Of {braces}'],
  ['# Of \\{#id}\n', 'Of {#id}'],
])('%s is titled %s', (markdown, title) => {
  expect(splitTitle(markdown).title).toBe(title);
});

test('sidebars of VitePress are lists, or lists by path', () => {
  const items = [
    { text: 'A', link: '/a.html#x' },
    { text: 'B', items: [{ text: 'C', link: 'https://c.example/' }] },
  ];
  const list = vitepressContents({ themeConfig: { sidebar: items } }, 'docs');
  expect(list).toMatchObject([
    { title: 'A', url: '/docs/a#x' },
    { title: 'B', children: [{ title: 'C', url: 'https://c.example/' }] },
  ]);
  expect(vitepressContents({ themeConfig: { sidebar: { '/b/': items } } }, 'docs')).toEqual(list);
  expect(vitepressContents({ themeConfig: { sidebar: { '/b/': 1 } } }, '')).toBeUndefined();
  expect(vitepressContents(undefined, '')).toBeUndefined();
});

test('navigations of Mintlify are lists of groups, or divisions of any kind', () => {
  const groups = [{ group: 'G', pages: ['a', { group: 'H', root: 'h/index', pages: ['h/b'] }, 'GET /x'] }];
  const expected = [
    { title: 'G', children: [{ url: '/a' }, { title: 'H', url: '/h/index', children: [{ url: '/h/b' }] }] },
  ];
  expect(mintlifyContents({ navigation: groups }, '')).toMatchObject(expected);
  expect(mintlifyContents({ navigation: { versions: [{ version: '1', groups }] } }, '')).toMatchObject([
    { title: '1', children: expected },
  ]);
  expect(mintlifyContents({ navigation: 'x' }, '')).toBeUndefined();
  expect(mintlifyContents([], '')).toBeUndefined();
});
