import { describe, expect, test } from 'vitest';
import { convertHtml } from '../../../src/lib/html/convert-html.ts';
import { decodeHtml } from '../../../src/lib/html/decode.ts';
import { parseHtml } from '../../../src/lib/html/parse-html.ts';
import { expectLinear } from '../../growth.ts';

const body = (html: string) =>
  convertHtml(`<main><h1>T</h1>${html}</main>`)
    .markdown.replace(/^# T\n\n/, '')
    .trim();

describe('content', () => {
  describe('tabs', () => {
    const tab = (name: string) => `<li role="tab">${name}</li>`;
    const panel = (text: string, attributes = '') => `<div role="tabpanel"${attributes}><p>${text}</p></div>`;
    const printed = (title: string, text: string) => `{% tab title="${title}" %}\n\n${text}\n\n{% endtab %}`;

    test('of which only one is open keep all panels', () => {
      const html = `<div><ul role="tablist">${tab('npm')}${tab('Yarn "2"')}</ul><div>${panel('A')}${panel('B', ' hidden')}</div></div>`;
      expect(body(html)).toBe(`{% tabs %}\n\n${printed('npm', 'A')}\n\n${printed("Yarn '2'", 'B')}\n\n{% endtabs %}`);
    });

    test('within tabs are within their panel', () => {
      const inner = `<div><div role="tablist">${tab('C')}</div>${panel('In')}</div>`;
      const html = `<section><div role="tablist">${tab('A')}${tab('B')}</div><div role="tabpanel">${inner}</div>${panel('Out', ' hidden')}</section>`;
      expect(body(html)).toBe(
        `{% tabs %}\n\n${printed('A', `{% tabs %}\n\n${printed('C', 'In')}\n\n{% endtabs %}`)}\n\n${printed('B', 'Out')}\n\n{% endtabs %}`,
      );
    });

    test('are not what a page calls so by an attribute of its own', () => {
      expect(body('<div data-tabs><p data-tab="x">One</p><p>Two</p></div>')).toBe('One\n\nTwo');
    });

    test('in cells, or with other panels, keep their text', () => {
      expect(body(`<div role="tablist">${tab('A')}${tab('B')}</div>${panel('Only', ' hidden')}`)).toContain('Only');
      const cell = `<div><div role="tablist">${tab('A')}</div>${panel('In a cell', ' hidden')}</div>`;
      expect(body(`<table><tr><th>H</th></tr><tr><td>${cell}</td></tr></table>`)).toContain('In a cell');
    });

    test('take linear time, however many lists have no panels', async () => {
      await expectLinear(
        convertHtml,
        (count) => `<main>${`<ul role="tablist">${tab('A')}</ul>`.repeat(count)}</main>`,
        500,
      );
    });
  });

  test('buttons in sentences are words, and others are left out', () => {
    expect(body('<p>Press <button>Save</button> now.</p>')).toBe('Press Save now.');
    expect(body('<p><button>Save</button> stores.</p>')).toBe('Save stores.');
    expect(body('<div><pre>npm i</pre><button>Copy</button></div><p>Next</p>')).not.toContain('Copy');
  });

  test('closed details, and boxes beside the text, keep their words', () => {
    expect(body('<details><summary>S</summary><div hidden><p>Inner</p></div></details>')).toContain('Inner');
    const box = '<p>Text</p><aside class="sidebar"><p class="sidebar-title">Title</p><p>Beside</p></aside>';
    expect(body(box)).toBe('Text\n\nTitle\n\nBeside');
  });

  test('tabs of radio buttons are no tasks', () => {
    expect(body('<div><input type="radio" checked><div>One</div><input type="radio"><div>Two</div></div>')).toBe(
      'One\n\nTwo',
    );
  });

  test('a report names hidden text and fields that are left out', () => {
    const html =
      '<main><h1>T</h1><p>Shown at all times.</p><div hidden>Secret words</div><p>Pick <select><option>One</select></p></main>';
    const { markdown, notes } = convertHtml(html);
    expect(markdown).not.toMatch(/Secret|One/);
    expect(notes.map(({ outcome }) => outcome)).toEqual(['dropped', 'dropped']);
  });

  test.each([
    [
      'a hint',
      '<div class="admonition warning"><p>Look</p></div>',
      '{% hint style="warning" %}\n\nLook\n\n{% endhint %}',
    ],
    [
      'a note of Confluence',
      '<div class="confluence-information-macro confluence-information-macro-tip"><p>Do</p></div>',
      '{% hint style="success" %}\n\nDo\n\n{% endhint %}',
    ],
    [
      'what can be opened',
      '<details><summary>More &amp; more</summary><p>In</p></details>',
      '<details>\n\n<summary>More &amp; more</summary>\n\nIn\n\n</details>',
    ],
    [
      'a figure',
      '<figure><img src="a.png" alt="A"><figcaption>Cap</figcaption></figure>',
      '<figure><img src="a.png" alt="A"><figcaption>Cap</figcaption></figure>',
    ],
    ['a list in a list outside of its items', '<ul><li>a</li><ul><li>n</li></ul><li>b</li></ul>', '* a\n  * n\n* b'],
    ['code by its class', '<pre><code class="language-ts">let a;</code></pre>', '```ts\nlet a;\n```'],
    ['code by the class of its frame', '<pre class="lang-js">let a;</pre>', '```js\nlet a;\n```'],
    [
      'code of Sphinx',
      '<div class="highlight-python3 notranslate"><div class="highlight"><pre><span></span>x = 1</pre></div></div>',
      '```python\nx = 1\n```',
    ],
    [
      'code of Sphinx with numbers of lines',
      '<div class="highlight-sql"><table class="highlighttable"><tr><td class="linenos"><pre>1</pre></td><td class="code"><pre>select 1</pre></td></tr></table></div>',
      '```sql\nselect 1\n```',
    ],
    [
      'the name of a file above code with numbers of lines',
      '<table class="highlighttable"><tr><th colspan="2"><span class="filename">a.py</span></th></tr><tr><td class="linenos"><pre>1</pre></td><td><pre>x</pre></td></tr></table>',
      'a.py\n\n```\nx\n```',
    ],
    ['code of Sphinx without a language', '<div class="highlight-default"><pre>x</pre></div>', '```\nx\n```'],
    [
      'code of Shiki',
      '<pre class="shiki" data-language="ts"><code><span>let x</span></code></pre>',
      '```ts\nlet x\n```',
    ],
    ['code of Prism', '<pre class="prism-code"><code class="language-jsx">x</code></pre>', '```jsx\nx\n```'],
    [
      'code of Rouge',
      '<div class="language-ruby highlighter-rouge"><pre><code>x</code></pre></div>',
      '```ruby\nx\n```',
    ],
    ['code of Confluence', '<pre data-syntaxhighlighter-params="brush: bash; theme: x">ls</pre>', '```bash\nls\n```'],
    ['a heading with its id', '<h2 id="set-up">Setting up</h2>', '## Setting up <a href="#set-up" id="set-up"></a>'],
    [
      'a heading with the id of its section',
      '<section id="x"><h2>One</h2></section>',
      '## One <a href="#x" id="x"></a>',
    ],
    ['a frame', '<iframe src="https://example.com/v"></iframe>', '{% embed url="https://example.com/v" %}'],
    ['raised and lowered text', 'H<sub>2</sub>O<sup>x</sup>', 'H<sub>2</sub>O<sup>x</sup>'],
    ['them in a list', '<ul><li>H<sub>2</sub>O</li></ul>', '* H<sub>2</sub>O'],
    ['an image that comes late', '<img src="data:image/gif;base64,R0" data-src="real.png" alt="">', '![](real.png)'],
    ['text that would mean something', '{% hint %} and $$x$$ and &lt;b&gt;', '\\{% hint %} and \\$$x\\$$ and \\<b>'],
    ['links that run code', '<a href="javascript:alert(1)">bad</a>', 'bad'],
  ])('keeps %s', (_, html, markdown) => {
    expect(body(html)).toBe(markdown);
  });

  test('leaves out navigation and footers, and finds the title', () => {
    const page = `<html><head><title>One | Acme</title><meta property="og:site_name" content="Acme"></head><body>
      <nav>Menu</nav><main><p>Text <button>Copy</button></p></main><footer>Imprint</footer></body></html>`;
    expect(convertHtml(page)).toMatchObject({ title: 'One', markdown: '# One\n\nText\n' });
  });

  test('reports what it leaves out, with positions', () => {
    const { notes } = convertHtml(
      '<main>\n<svg></svg>\n<table><tr><th colspan="2">x</th></tr><tr><td>y</td></tr></table></main>',
    );
    expect(notes).toMatchObject([
      { outcome: 'dropped', line: 2 },
      { outcome: 'changed', line: 3 },
    ]);
  });
});

describe('tables', () => {
  const rows = (cell: string) =>
    `<table><tr><th>K</th><th>V</th></tr><tr><td>k1</td><td>${cell}</td></tr><tr><td>k2</td><td>v2</td></tr></table><p>after</p>`;
  const written = (cell: string) =>
    `<table>\n<thead><tr><th>K</th><th>V</th></tr></thead>\n<tbody>\n<tr><td>k1</td><td>${cell}</td></tr>\n<tr><td>k2</td><td>v2</td></tr>\n</tbody>\n</table>\n\nafter`;

  test.each([
    ['code', '<pre class="lang-js">a\n\nb</pre>', '<pre><code class="language-js">a&#xA;&#xA;b</code></pre>'],
    ['a list', '<ul><li>one</li><li>two</li></ul>', '<ul><li>one</li><li>two</li></ul>'],
    ['a numbered list', '<p>x</p><ol start="3"><li>one</li></ol>', '<p>x</p><ol start="3"><li>one</li></ol>'],
    ['paragraphs', '<p>one</p><p>two</p>', '<p>one</p><p>two</p>'],
    ['a heading', '<h3>T</h3><p>x</p>', '<h3>T</h3><p>x</p>'],
    ['a table', '<table><tr><td>a</td><td>b</td></tr></table><p>c</p>', '<p>a | b</p><p>c</p>'],
    ['a fold', '<details><summary>S</summary>x</details>', '<p><strong>S</strong></p><p>x</p>'],
  ])('keep their rows around %s in a cell', (_, cell, content) => {
    expect(body(rows(cell))).toBe(written(content));
  });

  test('are written with bars if each cell is a line', () => {
    const table = rows('<p>a<br><b>b|c</b></p>').replace('<table>', '<table><caption>Cap</caption>');
    expect(body(table).split('\n')).toEqual([
      'Cap',
      '',
      '| K  | V             |',
      '| -- | ------------- |',
      '| k1 | a<br>**b\\|c** |',
      '| k2 | v2            |',
      '',
      'after',
    ]);
  });

  test('keep merged cells, and the places of cells below merged cells of the header', () => {
    const table =
      '<table><tr><th rowspan="2">a</th><th colspan="2">b</th></tr><tr><td>c</td><td>d</td></tr>' +
      '<tr><td rowspan="2">e</td><td colspan="2">f</td></tr><tr><td>g</td><td>h</td></tr></table>';
    expect(body(table)).toContain(
      '<tr><th>a</th><th>b</th><th></th></tr></thead>\n<tbody>\n<tr><td></td><td>c</td><td>d</td></tr>\n' +
        '<tr><td rowspan="2">e</td><td colspan="2">f</td></tr>\n<tr><td>g</td><td>h</td></tr>',
    );
  });

  test('that only place another table are left out', () => {
    expect(body('<table><tr><td><table><tr><th>a</th></tr><tr><td>b</td></tr></table></td></tr></table>')).toBe(
      '| a |\n| - |\n| b |',
    );
  });
});

test.each([
  ['a link', '<a href="u"><h3>T</h3><p>x</p></a>', '### [T](u)\n\n[x](u)'],
  ['bold text', '<b>a<p>b</p><ul><li>c</li></ul></b>', '**a**\n\n**b**\n\n* **c**'],
  ['a heading', '<h2>a<div>b</div><ul><li>c</li></ul>d</h2>', '## a b\n\n* c\n\nd'],
  ['a paragraph', '<p>a <iframe src="https://e.x/"></iframe> b</p>', 'a\n\n{% embed url="https://e.x/" %}\n\nb'],
  [
    'a caption',
    '<figure><img src="a.png"><figcaption><p>a</p><p><code>b</code></p></figcaption></figure>',
    '<figure><img src="a.png" alt=""><figcaption>a <code>b</code></figcaption></figure>',
  ],
  [
    'a summary',
    '<details><summary><h3>a</h3><b>b</b></summary>c</details>',
    '<details>\n\n<summary>a <strong>b</strong></summary>\n\nc\n\n</details>',
  ],
])('blocks leave %s', (_, html, markdown) => {
  expect(body(html)).toBe(markdown);
});

test('the text of a form is apart from the text around it', () => {
  expect(body('a<form>b</form>c')).toBe('a\n\nb\n\nc');
});

test('imports all cards of an overview', () => {
  const cards = ['one', 'two', 'three'].map((name) => `<article><p>${name}</p></article>`).join('');
  expect(body(cards)).toBe('one\n\ntwo\n\nthree');
});

test('resolves URLs against the base of the page, and collects links', () => {
  const page =
    '<base href="/docs/"><link rel="canonical" href="one"><main><a href="two#x">2</a><img src="p.png"></main>';
  expect(convertHtml(page, { address: 'https://acme.example/a/b' })).toMatchObject({
    links: ['https://acme.example/docs/two#x'],
    images: ['https://acme.example/docs/p.png'],
    canonical: 'https://acme.example/docs/one',
  });
});

test('refuses HTML that is nested too deep, in linear time', () => {
  expect(() => convertHtml('<div>'.repeat(100_000))).toThrow(/nested more than 250 deep/);
  expect(() => convertHtml('<span></x>'.repeat(100_000))).toThrow(/nested more than 250 deep/);
  expect(() => convertHtml('<span><!--</span>-->'.repeat(100_000))).toThrow(/nested more than 250 deep/);
  expect(() => convertHtml(Array.from({ length: 1_000 }, (_, n) => `<i><b id="${n}"></i>`).join(''))).toThrow(/deep/);
  expect(() => convertHtml(`<svg>${'<g>'.repeat(1_000)}`)).toThrow(/nested more than 250 deep/);
  expect(() => convertHtml('<p><li>'.repeat(1_000))).not.toThrow();
  expect(() => convertHtml(`<script>${'<div>'.repeat(1_000)}</script><div><b></b></div>`)).not.toThrow();
});

test.each([
  ['marks of lines', '<span class="line"></span>\n'],
  ['anchors', '<a id="x"></a>'],
  ['empty marks in marks', '<b><i></i></b> '],
])('converts %s without content in linear time', async (_name, piece) => {
  await expectLinear(
    convertHtml,
    (count) => `<main><p>${piece.repeat(count)}</p><pre>${piece.repeat(count)}x</pre></main>`,
    200,
  );
});

test('parses in linear time whatever tags there are', async () => {
  await expectLinear(parseHtml, (size) => '<b><p></b>x</p><i></span></i>'.repeat(size), 5_000);
});

test('cells that span thousands do not become thousands', () => {
  expect(body('<table><tr><td colspan="1000" rowspan="60000">x</td></tr></table>').length).toBeLessThan(2_000);
});

test('reads the encoding that a page names', () => {
  const bytes = Buffer.from('<meta charset="windows-1251"><p>\xcf\xf0\xe8</p>', 'latin1');
  expect(decodeHtml(bytes)).toContain('При');
  expect(decodeHtml(Buffer.from('\xcf\xf0\xe8', 'latin1'), 'text/html; charset=windows-1251')).toBe('При');
  expect(decodeHtml(Buffer.from('é'), 'text/html; charset=nonsense')).toBe('é');
});
