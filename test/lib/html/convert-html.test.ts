import { describe, expect, test } from 'vitest';
import { convertHtml } from '../../../src/lib/html/convert-html.ts';
import { decodeHtml } from '../../../src/lib/html/decode.ts';
import { nestingOf } from '../../../src/lib/html/nesting.ts';

const body = (html: string) =>
  convertHtml(`<main><h1>T</h1>${html}</main>`)
    .markdown.replace(/^# T\n\n/, '')
    .trim();

describe('content', () => {
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
    const { notes } = convertHtml('<main>\n<svg></svg>\n<table><tr><td colspan="2">x</td></tr></table></main>');
    expect(notes).toMatchObject([
      { outcome: 'dropped', line: 2 },
      { outcome: 'changed', line: 3 },
    ]);
  });
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

test('refuses what is nested too deep, before it is parsed', () => {
  expect(() => convertHtml('<div>'.repeat(100_000))).toThrow(/nested more than 250 deep/);
  expect(nestingOf('<p><li>'.repeat(1_000))).toBe(0);
  expect(nestingOf(`<script>${'<div>'.repeat(1_000)}</script><div><b></b></div>`)).toBe(2);
  expect(nestingOf('<a '.repeat(100_000))).toBe(100_000);
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
