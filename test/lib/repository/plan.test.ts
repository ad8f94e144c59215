import { describe, expect, test } from 'vitest';
import { resolveLink } from '../../../src/lib/repository/links.ts';
import { planImport, type RepositoryPlan } from '../../../src/lib/repository/plan.ts';
import type { PlannedPage } from '../../../src/lib/repository/planned-page.ts';
import { printTags } from '../../../src/lib/repository/tags.ts';

const TAGS =
  '- tag: new\n  label: New features\n  color: $success\n- tag: beta\n  label: Beta\n  icon: flask\n- tag: done\n  label: Done\n  emoji: 🎉\n';

function plan(contents: Record<string, string>, sizes: Record<string, number> = {}): Promise<RepositoryPlan> {
  const files = Object.entries(contents).map(([path, text]) => ({ path, size: sizes[path] ?? text.length }));
  return planImport(files, async (path) => {
    const text = contents[path];
    if (text === undefined) throw new Error(`There is no ${path}.`);
    return text;
  });
}

/** The tree in short: `title /path`, the kind unless it is a document, the file if the page has one. */
const sketch = (pages: PlannedPage[], indent = ''): string[] =>
  pages.flatMap(({ kind, title, linkTitle, path, file, href, children }) => [
    [
      indent + title,
      linkTitle && `(${linkTitle})`,
      kind === 'document' ? '' : kind,
      path === null ? href : `/${path}`,
      file && `< ${file}`,
    ]
      .filter(Boolean)
      .join(' '),
    ...sketch(children, `${indent}  `),
  ]);

const messages = ({ report }: RepositoryPlan) =>
  report.map(({ file, line, message }) => `${file}:${line ?? ''} ${message}`);

describe('a repository with a table of contents', () => {
  test('becomes a tree of pages with the paths of their files', async () => {
    const result = await plan({
      'SUMMARY.md': `# Table of contents

* [Welcome](README.md)
* [Guide](guide/README.md)
  * [Install it](guide/install_it.v2.md)
  * Old versions
    * [One](guide/old/One.md "Version 1")

## Reference <a href="#reference" id="reference"></a>

* [API](reference/api.md)
  * Nothing yet
* [Site](https://example.com)
`,
      'README.md': '# Welcome home\n',
      'guide/README.md': 'No heading',
      'guide/install_it.v2.md': '# Install it\n\nText',
      'guide/old/One.md': '# Version One',
      'reference/api.md': '',
    });
    expect(sketch(result.pages)).toEqual([
      'Welcome home (Welcome) /welcome-home < README.md',
      'Guide /guide < guide/README.md',
      '  Install it /guide/install_it.v2 < guide/install_it.v2.md',
      '  Old versions /guide/old-versions',
      '    Version One (Version 1) /guide/old-versions/one < guide/old/One.md',
      'Reference group /reference',
      '  API /reference/api < reference/api.md',
      '    Nothing yet /reference/api/nothing-yet',
      '  Site link https://example.com',
    ]);
    expect(result.report).toEqual([]);
  });

  test('gives each page its body, and the line where it begins', async () => {
    const { pages } = await plan({
      'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n',
      'a.md': '---\r\nicon: bolt\r\n---\r\n\r\n# A\r\n\r\nFirst\r\nSecond',
      'b.md': 'Only text\n',
    });
    expect(pages[0]).toMatchObject({ title: 'A', icon: 'bolt', body: 'First\nSecond', bodyLine: 7 });
    expect(pages[1]).toMatchObject({ title: 'B', body: 'Only text\n', bodyLine: 1 });
    expect(pages[1]).not.toHaveProperty('linkTitle');
  });

  test('contains a page once: further entries are links, followed by the entries below them', async () => {
    const result = await plan({
      'SUMMARY.md': `* [Parts](a.md#parts)
* [A](a.md)
  * [Again](./a.md)
    * [B](b.md)
* [B once more](B.md)
* [Manual](manual.pdf)
* [C](c.md#intro)
`,
      'a.md': '',
      'b.md': '',
      'c.md': '',
      'manual.pdf': '',
    });
    expect(sketch(result.pages)).toEqual([
      'Parts link a.md#parts',
      'A /a < a.md',
      '  Again link ./a.md',
      '  B /a/b < b.md',
      'B once more link B.md',
      'Manual link manual.pdf',
      'C /c < c.md',
    ]);
    expect(result.pages[0]?.target).toEqual({ kind: 'page', file: 'a.md', anchor: 'parts' });
    expect(result.pages[3]?.target).toEqual({ kind: 'file', path: 'manual.pdf' });
    expect(messages(result)).toEqual([
      'SUMMARY.md:1 "a.md" is a page already in line 2. This entry links to it.',
      'SUMMARY.md:3 "a.md" is a page already in line 2. This entry links to it.',
      'SUMMARY.md:3 "Again" is a link and cannot have children. They were placed after it.',
      'SUMMARY.md:5 "B.md": the file is written "b.md".',
      'SUMMARY.md:5 "b.md" is a page already in line 4. This entry links to it.',
      'SUMMARY.md:7 The entry is the page "c.md" as a whole. The anchor "#intro" was removed.',
    ]);
  });

  test('keeps the place of a page whose file is missing', async () => {
    const result = await plan({
      'SUMMARY.md': '* [A](a.md)\n* [Gone](old%20part/gone.md)\n  * [B](b.md)\n* [Me](SUMMARY.md)\n',
      'a.md': '',
      'b.md': '',
    });
    expect(sketch(result.pages)).toEqual(['A /a < a.md', 'Gone /gone', '  B /gone/b < b.md', 'Me /summary']);
    expect(messages(result)).toEqual([
      'SUMMARY.md:2 "Gone" links to "old%20part/gone.md", but there is no file "old part/gone.md". The page is empty.',
      'SUMMARY.md:4 "Me" links to "SUMMARY.md", but that is the table of contents itself. The page is empty.',
    ]);
  });

  test('puts an unlisted home page first and leaves out other files', async () => {
    const result = await plan({
      'SUMMARY.md': '* [A](a.md)\n',
      'README.md': '# Home page',
      'a.md': '',
      'b.md': '',
      '.github/pull_request_template.md': '',
      '.gitbook/includes/note.md': '',
    });
    expect(sketch(result.pages)).toEqual(['Home page /home-page < README.md', 'A /a < a.md']);
    expect(messages(result)).toEqual([
      'SUMMARY.md: "README.md" is not listed. It was placed first, as the home page.',
      'b.md: The file was not imported: it is not in SUMMARY.md.',
    ]);
  });

  test('makes slugs unique among siblings and usable everywhere', async () => {
    const { pages } = await plan({
      'SUMMARY.md': '* [A](x/a.md)\n* [B](y/A.md)\n* [C](<z/My page?.md>)\n* [D](ümlaut.md)\n* [E](....md)\n## A\n',
      'x/a.md': '',
      'y/A.md': '',
      'z/My page?.md': '',
      'ümlaut.md': '',
      '....md': '',
    });
    expect(pages.map(({ slug }) => slug)).toEqual(['a', 'a-2', 'my-page', 'ümlaut', 'e', 'a-3']);
  });

  test('has at most a thousand pages side by side, and the rest in parts', async () => {
    const contents = Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [`p${index}.md`, `# P${index}\n`]));
    const { pages, report } = await plan(contents);
    expect(pages.map(({ title, children }) => [title, children.length])).toEqual([
      ['Part 1', 1_000],
      ['Part 2', 200],
    ]);
    expect(report.map(({ message }) => message).join()).toMatch(/1200 siblings/);
  });

  test('is at most 32 deep', async () => {
    const lines = Array.from({ length: 32 }, (_, depth) => `${'  '.repeat(depth)}* [P${depth}](p${depth}.md)`);
    const { pages } = await plan({ 'SUMMARY.md': `## Group\n\n${lines.join('\n')}\n`, 'p31.md': '' });
    const depthOf = (list: PlannedPage[]): number => Math.max(0, ...list.map(({ children }) => 1 + depthOf(children)));
    expect(depthOf(pages)).toBe(32);
    expect(sketch(pages)).toHaveLength(33);
  });
});

describe('a repository without a table of contents', () => {
  test('is ordered by folders and names', async () => {
    const result = await plan({
      'b.md': '# Bee',
      'a-10.md': '',
      'a-2.md': '',
      'README.md': '',
      'img/logo.png': '',
      'guide/z.md': '',
      'guide/README.md': '# The guide',
      'guide/deep/x.md': '',
      'api/v1/x.md': '',
      'api.md': '# API',
      'faq/one.md': '',
      '.github/x.md': '',
    });
    expect(sketch(result.pages)).toEqual([
      'Home /home < README.md',
      'A 2 /a-2 < a-2.md',
      'A 10 /a-10 < a-10.md',
      'API /api < api.md',
      '  V1 /api/v1',
      '    X /api/v1/x < api/v1/x.md',
      'Bee /b < b.md',
      'Faq group /faq',
      '  One /faq/one < faq/one.md',
      'The guide /guide < guide/README.md',
      '  Deep /guide/deep',
      '    X /guide/deep/x < guide/deep/x.md',
      '  Z /guide/z < guide/z.md',
    ]);
    expect(messages(result)).toEqual(['SUMMARY.md: "SUMMARY.md" does not exist. Pages are sorted by folder and name.']);
  });

  test('may be empty', async () => {
    expect(await plan({})).toMatchObject({ pages: [], assets: [], redirects: [] });
  });
});

test('a page that is called "Summary" is a page', async () => {
  const files = {
    'Summary.md': '# Summary\n\nWords of the page.\n\n* [Plan](plan.md)\n',
    'plan.md': '# Plan',
    'more.md': '',
  };
  const { pages } = await plan(files);
  expect(sketch(pages)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Summary /), expect.stringMatching(/^Plan /)]),
  );
  expect(pages).toHaveLength(3);
});

test('a page with a heading alone, and a converted file, are pages that are called "Summary"', async () => {
  const heading = await plan({ 'Summary.md': '# Summary\n', 'plan.md': '# Plan' });
  expect(heading.pages).toHaveLength(2);
  const files = { 'SUMMARY.md': '* [Plan](plan.md)\n', 'plan.md': '# Plan' };
  const sizes = Object.entries(files).map(([path, text]) => ({ path, size: text.length }));
  const read = async (path: string) => files[path as keyof typeof files];
  const converted = await planImport(sizes, read, { names: new Map([['SUMMARY.md', 'SUMMARY.docx']]) });
  expect(converted.pages).toHaveLength(2);
});

test('a table of contents is found in any case', async () => {
  const { pages } = await plan({
    'summary.md': '# Contents\n\n* [Only](plan.md)\n',
    'plan.md': '# Plan',
    'more.md': '',
  });
  expect(sketch(pages)).toEqual(['Plan (Only) /plan < plan.md']);
});

describe('.gitbook.yaml', () => {
  const yaml = `
root: docs
structure:
  readme: start.md
  summary: toc.md
redirects:
  old: a.md
  lost: gone.md
`;

  test('says where everything is', async () => {
    const result = await plan({
      '.gitbook.yaml': yaml,
      'README.md': 'of the repository',
      'docs/TOC.md': '* [Start here](start.md)\n* [A](a.md)\n',
      'docs/start.md': '',
      'docs/a.md': '',
      'docs/img/x.png': '',
      'docs/.gitbook/assets/y.png': '',
      'docs/.hidden/z.png': '',
      'other/w.png': '',
    });
    expect(sketch(result.pages)).toEqual(['Start here /start-here < docs/start.md', 'A /a < docs/a.md']);
    expect(result.assets).toEqual(['docs/img/x.png', 'docs/.gitbook/assets/y.png']);
    expect(result.redirects).toEqual([{ from: 'old', file: 'docs/a.md' }]);
    expect(messages(result)).toEqual(['.gitbook.yaml:8 "lost" is redirected to "docs/gone.md", which is not a page.']);
    expect(resolveLink('docs/start.md', '/old#x', result.known)).toMatchObject({
      kind: 'page',
      file: 'docs/a.md',
      anchor: 'x',
    });
  });

  test('is ignored where its paths do not exist', async () => {
    const result = await plan({ '.gitbook.yaml': yaml, 'a.md': '' });
    expect(sketch(result.pages)).toEqual(['A /a < a.md']);
    expect(messages(result)[0]).toContain('The folder "docs" is empty or missing');
  });

  test('is not read when it is far too large', async () => {
    const result = await plan({ '.gitbook.yaml': yaml, 'a.md': '' }, { '.gitbook.yaml': 2 * 1024 ** 2 });
    expect(messages(result)[0]).toMatch(/larger than 1048576 bytes/);
  });

  test('reports a home page that is not there', async () => {
    const result = await plan({
      '.gitbook.yaml': 'structure:\n  readme: home.md\n',
      'SUMMARY.md': '* [A](a.md)',
      'a.md': '',
    });
    expect(messages(result)).toEqual(['.gitbook.yaml: The home page "home.md" does not exist.']);
  });
});

describe('front matter', () => {
  const settingsOf = async (frontMatter: string) => {
    const contents = {
      'SUMMARY.md': '* [A](x/a.md)',
      'x/a.md': `---\n${frontMatter}\n---\nText`,
      '.gitbook/assets/c.png': '',
    };
    const result = await plan(contents);
    const [page] = result.pages;
    if (!page) throw new Error('There is no page.');
    return { page, messages: messages(result) };
  };

  test('sets the fields of a page', async () => {
    const { page, messages } = await settingsOf(`description: >-
  What it
  does
icon: book-open
hidden: true
noIndex: true
if: visitor.claims.beta
vars:
  version: 2.1
  name: x
cover: ../.gitbook/assets/c.png
coverY: -12.5
coverHeight: 300
layout:
  width: wide
  cover:
    visible: true
    size: full
  title:
    visible: false
  tableOfContents:
    visible: true
  outline: false
  pagination:
    visible: no idea`);
    expect(messages).toEqual([]);
    expect(page).toMatchObject({
      title: 'A',
      description: 'What it does',
      icon: 'book-open',
      hidden: true,
      noIndex: true,
      condition: 'visitor.claims.beta',
      variables: { version: 2.1, name: 'x' },
      cover: { ref: { kind: 'file', path: '.gitbook/assets/c.png' }, yPos: -12.5, height: 300 },
      body: 'Text',
    });
    expect(page.layout).toEqual({
      width: 'wide',
      cover: true,
      coverSize: 'full',
      title: false,
      tableOfContents: true,
      outline: false,
    });
    expect(page.frontMatter).toMatchObject({ icon: 'book-open', coverY: -12.5 });
  });

  test('sets light and dark covers, and reports missing files', async () => {
    const { page, messages } = await settingsOf('cover:\n  light: https://example.com/l.png\n  dark: d.png');
    expect(page.cover).toEqual({
      ref: { kind: 'url', url: 'https://example.com/l.png' },
      refDark: { kind: 'broken', url: 'd.png', reason: 'there is no file "x/d.png"' },
      yPos: 0,
    });
    expect(messages).toEqual(['x/a.md: The cover "d.png" is missing: there is no file "x/d.png".']);
  });

  test.each([
    ['description: [a]', '"description" in the front matter has an invalid value. It was ignored.'],
    ['layout: landing', '"layout" in the front matter has an invalid value. It was ignored.'],
    ['vars: 1', '"vars" in the front matter has an invalid value. It was ignored.'],
    ['coverHeight: 9000', '"coverHeight" in the front matter has an invalid value. It was ignored.'],
    ['order: 3', '"order" in the front matter is not supported.'],
    ['a: [', 'The front matter was not read: '],
  ])('reports %s', async (frontMatter, message) => {
    const { page, messages } = await settingsOf(frontMatter);
    expect(messages).toEqual([expect.stringContaining(message)]);
    expect(page).toMatchObject({ title: 'A', body: 'Text' });
    for (const name of ['hidden', 'description', 'layout', 'variables', 'cover']) expect(page).not.toHaveProperty(name);
  });

  test.each([
    ['hidden: yes', { hidden: true }, undefined],
    ['hidden: "off"', { hidden: false }, undefined],
    ['noIndex: maybe', { noIndex: true }, '"noIndex" in the front matter must be true or false. It was read as true.'],
    ['hidden: { a: 1 }', { hidden: true }, '"hidden" in the front matter must be true or false. It was read as true.'],
    ['if: true', { condition: 'true' }, undefined],
    ['if: visitor.', { condition: 'visitor.' }, '"if" in the front matter is not a valid condition'],
    ['if: {}', { condition: 'false' }, '"if" in the front matter is not a valid condition'],
    ['{ a: [, hidden: true, if: x }', { condition: 'false', hidden: true }, 'The front matter was not read: '],
    ['a: [\nhidden: false', {}, 'The front matter was not read: '],
    ['a: [\nhidden: "False"', {}, 'The front matter was not read: '],
    ['hidden:true', { hidden: true }, 'The front matter was not read: it is not a mapping of names to values.'],
    ['if:visitor.claims.partner', { condition: 'false' }, 'The front matter was not read: it is not a mapping'],
    ['- hidden: true\n- title: A', { hidden: true }, 'The front matter was not read: it is not a mapping'],
    ['noIndex:true', { noIndex: true }, 'The front matter was not read: it is not a mapping'],
  ])('reads %s as a restriction', async (frontMatter, settings, message) => {
    const { page, messages } = await settingsOf(frontMatter);
    expect(messages).toEqual(message === undefined ? [] : [expect.stringContaining(message)]);
    const { hidden, noIndex, condition } = page;
    expect({ hidden, noIndex, condition }).toEqual({
      hidden: undefined,
      noIndex: undefined,
      condition: undefined,
      ...settings,
    });
  });

  test('keeps numbers that are none in JSON as they are written', async () => {
    const { page, messages } = await settingsOf(
      'title: 12e4567\nvars: { commit: 12e4567, most: .inf, none: .nan, a: 1e3 }',
    );
    expect([page.title, messages]).toEqual(['A', []]);
    expect(page.variables).toEqual({ commit: '12e4567', most: '.inf', none: '.nan', a: 1000 });
    const { page: covered, messages: said } = await settingsOf('cover: https://example.com/c.png\ncoverY: .inf');
    expect(covered.cover).toMatchObject({ yPos: 0 });
    expect(said).toEqual(['x/a.md: "coverY" in the front matter has an invalid value. It was ignored.']);
  });

  test('limits variables, descriptions and icons, and reports what is left out', async () => {
    const many = Array.from({ length: 202 }, (_, index) => `  v${index}: 1`).join('\n');
    const { page, messages } = await settingsOf(
      `description: ${'d'.repeat(5_000)}\nicon: ${'i'.repeat(51)}\nvars:\n  long: ${'x'.repeat(300)}\n  list: [a]\n${many}`,
    );
    expect(page.description).toBe('d'.repeat(4_000));
    expect(page).not.toHaveProperty('icon');
    expect(Object.keys(page.variables ?? {})).toEqual(Array.from({ length: 200 }, (_, index) => `v${index}`));
    expect(messages).toEqual([
      'x/a.md: The description was cut to 4000 characters.',
      'x/a.md: "icon" in the front matter has an invalid value. It was ignored.',
      expect.stringContaining(
        'Variables of the page were not imported: "long", "list", "v200", "v201". A page has up to 200',
      ),
    ]);
  });

  test('whose end is missing hides a page that it seems to restrict', async () => {
    const { pages, report } = await plan({
      'a.md': '---\nif: visitor.claims.beta\n\n# A\n\nText: more\n',
      'b.md': '---\nText\n',
      'c.md': '---\ntitle: C\n\nif: visitor.claims.beta\n# C\n\nText\n\n---\n\nMore\n',
    });
    expect(pages.map(({ condition }) => condition)).toEqual(['false', undefined, 'false']);
    expect(pages.map(({ body }) => body)).toEqual(['Text: more\n', '---\nText\n', 'Text\n\n---\n\nMore\n']);
    expect(pages.map(({ title }) => title)).toEqual(['A', 'B', 'C']);
    expect(report.map(({ message }) => message)).toContainEqual(expect.stringContaining('its end is missing'));
  });

  test('sets the title of a page without another title', async () => {
    const { pages } = await plan({ 'a.md': '---\ntitle: From the front\n---\n', 'b.md': '---\ntitle: No\n---\n# Yes' });
    expect(pages.map(({ title }) => title)).toEqual(['From the front', 'Yes']);
  });
});

test('an entry without a title gets one from its address', async () => {
  const { pages } = await plan({
    'SUMMARY.md': '* [](my-page.md)\n* [](https://example.com/x)\n* [](gone.md)',
    'my-page.md': '',
  });
  expect(pages.map(({ title }) => title)).toEqual(['My page', 'X', 'Gone']);
});

test('a page whose text is too large has its title and settings, and no body', async () => {
  const text = `---\nicon: x\n---\n\n# Title\n\n${'A word.\n\n'.repeat(150_000)}`;
  const { pages } = await plan(
    { 'a.md': text, 'b.md': '# B', 'c.md': `# C\n\n${'語'.repeat(1_000_000)}` },
    { 'b.md': 6 * 1024 ** 2 },
  );
  expect(pages.map(({ title, icon, body, tooLarge }) => [title, icon, body.length, tooLarge])).toEqual([
    ['Title', 'x', 0, 'text'],
    ['B', undefined, 0, 'file'],
    ['C', undefined, 1_000_000, undefined],
  ]);
});

test('links in the bodies resolve through the plan', async () => {
  const { known } = await plan({
    'SUMMARY.md': '## Basics\n\n* [A](x/a.md)\n  * [B](x/b.md)\n',
    'x/a.md': '[b](b.md)',
    'x/b.md': '',
    'x/c.md': '',
  });
  expect(resolveLink('x/a.md', 'b.md#top', known)).toEqual({ kind: 'page', file: 'x/b.md', anchor: 'top' });
  expect(resolveLink('x/b.md', '/basics/a/b', known)).toEqual({ kind: 'page', file: 'x/b.md' });
  expect(resolveLink('x/a.md', 'c.md', known)).toMatchObject({ kind: 'broken' });
});

describe('a table of contents of GitBook', () => {
  test('names the page of a file by the entry with children', async () => {
    const { pages } = await plan({
      'SUMMARY.md': '* [A](a.md)\n* [Group](a.md)\n  * [B](b.md)\n',
      'a.md': '# A',
      'b.md': '# B',
    });
    expect(sketch(pages)).toEqual(['A link a.md', 'A (Group) /a < a.md', '  B /a/b < b.md']);
  });

  test('states slugs of groups, and plus signs stay in those of files', async () => {
    const { pages } = await plan({
      'SUMMARY.md': '* [Home](README.md)\n\n## Read me <a href="#intro" id="intro"></a>\n\n* [S](server-+-studio.md)\n',
      'README.md': '# Home',
      'server-+-studio.md': '# S',
    });
    expect(sketch(pages)).toEqual([
      'Home /home < README.md',
      'Read me group /intro',
      '  S /intro/server-+-studio < server-+-studio.md',
    ]);
  });

  test('has folders that links with a slash lead to', async () => {
    const { known } = await plan({
      'SUMMARY.md': '* [Home](README.md)\n* [T](triggers.md)\n* [U](triggers/README.md)\n',
      'README.md': '# Home',
      'triggers.md': '# T',
      'triggers/README.md': '# U',
    });
    expect(resolveLink('README.md', 'triggers/', known)).toEqual({ kind: 'page', file: 'triggers/README.md' });
    expect(resolveLink('README.md', 'triggers', known)).toEqual({ kind: 'page', file: 'triggers.md' });
  });

  test('comes with tags of pages and variables of the space', async () => {
    const { pages, variables, tags, report } = await plan({
      'README.md': '---\ntags:\n  - release\n  - tag: beta\n    primary: true\n---\n\n# Home',
      '.gitbook/vars.yaml': 'version: v3.0.4\nbuild: 7\nbeta: true\nlist: [1]\n',
      '.gitbook/tags.yaml': TAGS,
    });
    expect(pages[0]?.tags).toEqual([
      { name: 'release', isPrimary: false },
      { name: 'beta', isPrimary: true },
    ]);
    expect(variables).toEqual({ version: 'v3.0.4', build: 7, beta: true });
    expect(tags).toEqual([
      { slug: 'new', label: 'New features', color: '$success' },
      { slug: 'beta', label: 'Beta', icon: 'flask' },
      { slug: 'done', label: 'Done', emoji: '🎉' },
    ]);
    expect(printTags(tags ?? [])).toBe(TAGS);
    expect(report.map(({ file, message }) => [file, message])).toEqual([
      ['SUMMARY.md', expect.any(String)],
      ['.gitbook/vars.yaml', 'The variable "list" was not imported.'],
    ]);
  });

  test('reports tags that a space cannot have', async () => {
    const { tags, report } = await plan({
      'README.md': '# Home',
      '.gitbook/tags.yaml':
        '- label: None\n- tag: a\n- tag: a\n  label: Again\n- tag: b\n  color: beige\n- c\n- tag: {toString: 1}\n',
    });
    expect(tags).toEqual([{ slug: 'a', label: 'a' }]);
    expect(report.filter(({ file }) => file === '.gitbook/tags.yaml').map(({ message }) => message)).toEqual([
      'The tag "" was not imported: it has no `tag`.',
      'The tag "a" was not imported: there is another one with this name.',
      expect.stringMatching(/^The tag "b" was not imported: its color must be one of default, green, /),
      'The tag "c" was not imported: it has no `tag`.',
      'The tag "" was not imported: it has no `tag`.',
    ]);
    for (const broken of [
      'tags: x\n',
      '- [\n',
      '- &a {tag: x}\n- *a\n',
      `- ${'{? '.repeat(400)}a${'}'.repeat(400)}\n`,
    ]) {
      const { tags: none, report: said } = await plan({ 'README.md': '# Home', '.gitbook/tags.yaml': broken });
      expect(none).toBeUndefined();
      expect(said.at(-1)?.message).toMatch(/^The tags were not read/);
    }
  });
});

test.each([
  ['book.toml', 'doubled'],
  ['docs/book.toml', 'doubled'],
  ['.gitbook/assets/book.toml', 'literal'],
  ['docs/.gitbook/assets/book.toml', 'literal'],
])('with a configuration at %s, dollars are read as %s', async (path, dollars) => {
  const result = await plan({ 'README.md': '# Home', [path]: '[output.html]\nmathjax-support = true\n' });
  expect(result.dollars).toBe(dollars);
});
