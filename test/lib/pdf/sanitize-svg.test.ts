import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitizeSvg } from '../../../src/lib/pdf/sanitize-svg.ts';
import { png } from '../../content/files/images.ts';
import { expectLinear } from '../../growth.ts';

const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"${attributes}>${inside}</svg>`;

const pixel = `data:image/png;base64,${png(4, 3).toString('base64')}`;

test('keeps drawing elements, internal references and small embedded images', () => {
  const kept = svg(
    '<defs><linearGradient id="g"><stop offset="0" stop-color="red"></stop></linearGradient></defs>' +
      '<style>.a { fill: blue; }</style>' +
      `<g class="a" style="stroke:url(#g)"><path d="M0 0 L1 1" fill="url(#g)"></path><use xlink:href="#g"></use></g>` +
      `<text x="1">a &lt; b</text><image width="4" height="3" xlink:href="${pixel}"></image>`,
    ' viewBox="0 0 4 3"',
  );
  expect(sanitizeSvg(kept)).toBe(kept);
});

test.each([
  ['a path of the host', '<image href="/etc/passwd"/>'],
  ['a device', '<image xlink:href="/dev/zero"/>'],
  ['a file: address', '<image href="file:///etc/hosts"/>'],
  ['an http: address', '<image href="http://127.0.0.1/x.png"/>'],
  ['a path behind spaces and entities', '<image href=" &#x2f;etc/passwd"/>'],
  ['data of another type', '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'],
  ['data that only claims to be PNG', '<image href="data:image/png;base64,L2V0Yy9wYXNzd2Q="/>'],
  ['data that names a path', '<image href="data:image/png;/etc/passwd"/>'],
  ['another document', '<use href="other.svg#a"/>'],
  ['another document in a fill', '<rect fill="url(/etc/passwd#a)"/>'],
  ['another document in a style', '<rect style="fill:url(&quot;http://a/b#c&quot;)"/>'],
  ['an escaped address', '<rect style="fill:\\75rl(http://a/b#c)"/>'],
  ['an imported style sheet', '<style>@import "http://a/b.css";</style>'],
  ['a style sheet with an address', '<style>rect { fill: url(http://a/b#c) }</style>'],
  ['a link', '<a href="http://a/"><rect/></a>'],
  ['a script', '<script>alert(1)</script>'],
  ['a listener', '<rect onload="alert(1)"/>'],
  ['an embedded page', '<foreignObject><iframe src="/etc/passwd"/></foreignObject>'],
  ['a filter', '<filter><feImage href="/etc/passwd"/></filter>'],
  ['another prefix', '<x:image xmlns:x="http://www.w3.org/2000/svg" x:href="/etc/passwd"/>'],
])('drops %s', (_name, inside) => {
  const left = sanitizeSvg(svg(inside));
  expect(left).toBeDefined();
  expect(left?.replaceAll(/ xmlns(:xlink)?="[^"]*"/g, '')).not.toMatch(
    /passwd|\/dev|file:|http|href|data:|url|script|onload|import/,
  );
});

test('removes document types, comments and processing instructions, and does not expand entities', () => {
  const hostile = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><!-- x -->${svg('<text>&a;</text>')}`;
  expect(sanitizeSvg(hostile)).toBe(svg('<text>&amp;a;</text>'));
});

const pattern = `<pattern id="p">${'<rect/>'.repeat(100)}</pattern>`;

test.each([
  ['what is no XML', '<svg><g></svg>'],
  ['another root', '<html></html>'],
  ['nothing', ''],
  ['an element that contains itself', svg('<g id="a"><use href="#a"/></g>')],
  ['elements that contain each other', svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>')],
  ['a pattern that is filled with itself', svg('<pattern id="a"><rect fill="url(#a)"/></pattern>')],
  [
    'references that multiply',
    svg(
      Array.from({ length: 20 }, (_, at) => `<g id="a${at}">${`<use href="#a${at + 1}"/>`.repeat(10)}</g>`).join('') +
        '<g id="a20"><rect/></g>',
    ),
  ],
  [
    'markers at too many points',
    svg(`<marker id="m">${'<rect/>'.repeat(100)}</marker><path marker-mid="url(#m)" d="M0 0${'L1 1'.repeat(5_000)}"/>`),
  ],
  [
    'markers at too many points inside of a group',
    svg(
      `<marker id="m">${'<rect/>'.repeat(100)}</marker><g marker-mid="url(#m)"><path d="M0 0${'L1 1'.repeat(5_000)}"/></g>`,
    ),
  ],
  ['a pattern that many elements inherit', svg(`${pattern}<g fill="url(#p)">${'<rect/>'.repeat(1_000)}</g>`)],
  [
    'a pattern that many used elements inherit',
    svg(`${pattern}<defs><g id="a">${'<rect/>'.repeat(1_000)}</g></defs><use href="#a" fill="url(#p)"/>`),
  ],
  ['too many elements', svg('<rect/>'.repeat(20_001))],
  ['elements nested too deep', svg('<g>'.repeat(5_000) + '</g>'.repeat(5_000))],
  ['too many characters', svg(`<path d="${'M0 0 '.repeat(200_000)}"/>`)],
  ['an unfinished tag', '<svg><rect '],
])('refuses %s', (_name, text) => {
  expect(sanitizeSvg(text)).toBeUndefined();
});

test('a gradient that many paths inherit passes', () => {
  const gradient = `<linearGradient id="g">${'<stop offset="0"/>'.repeat(20)}</linearGradient>`;
  const paths = '<path d="M0 0 L1 1"/>'.repeat(2_000);
  expect(sanitizeSvg(svg(`${gradient}<g fill="url(#g)">${paths}</g>`))?.match(/<path/g)).toHaveLength(2_000);
});

test('a long path and a large embedded image pass', () => {
  const d = 'M0 0 L10 10 '.repeat(20_000);
  expect(sanitizeSvg(svg(`<path d="${d}"/>`))).toContain(d);
});

test('embedded images are bounded in total pixels', () => {
  const large = `<image href="data:image/png;base64,${png(1_900, 1_900).toString('base64')}"/>`;
  expect(sanitizeSvg(svg(large))?.match(/data:/g)).toHaveLength(1);
  expect(sanitizeSvg(svg(large.repeat(3)))?.match(/data:/g)).toHaveLength(1);
});

test.each([
  ['a long attribute', (size: number) => `<path d="${'M'.repeat(size)}"/>`],
  ['a long name', (size: number) => `<${'a'.repeat(size)}/>`],
  ['a long text', (size: number) => `<text>${'a'.repeat(size)}</text>`],
  ['a long entity', (size: number) => `<text>&${'a'.repeat(size)}</text>`],
  ['a comment without an end', (size: number) => `<!--${'- '.repeat(size / 2)}`],
  ['a section without an end', (size: number) => `<![CDATA[${']'.repeat(size)}`],
  ['brackets of a document type', (size: number) => `<!DOCTYPE a ${'['.repeat(size)}`],
  ['unknown entities', (size: number) => `<text>${'&x;'.repeat(size / 3)}</text>`],
  ['attributes', (size: number) => `<g ${Array.from({ length: size / 12 }, (_, at) => `a${at}="1"`).join(' ')}/>`],
  ['references in a value', (size: number) => `<g fill="${'url(#a'.repeat(size / 6)}"/>`],
  ['spaces in a reference', (size: number) => `<image href="${' '.repeat(size)}"/>`],
])('%s takes linear time up to the limit of characters', async (_name, inside) => {
  await expectLinear(sanitizeSvg, (size) => svg(inside(size)), 120_000);
});

test('sanitizing is idempotent', () => {
  const text = fc.stringMatching(/^[ -~]{0,20}$/);
  const name = fc.constantFrom('g', 'rect', 'image', 'use', 'style', 'script', 'text', 'a', 'x:y');
  const attribute = fc.tuple(
    fc.constantFrom('id', 'href', 'xlink:href', 'fill', 'style', 'onload', 'd'),
    fc.oneof(text, fc.constantFrom('#a', 'url(#a)', '/etc/passwd', pixel)),
  );
  const quoted = (value: string) => value.replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`);
  const { element } = fc.letrec<{ element: string }>((tie) => ({
    element: fc
      .tuple(
        name,
        fc.uniqueArray(attribute, { selector: ([key]) => key, maxLength: 3 }),
        fc.array(fc.oneof({ depthSize: 'small' }, text.map(quoted), tie('element')), { maxLength: 3 }),
      )
      .map(
        ([tag, attributes, inside]) =>
          `<${tag}${attributes.map(([key, value]) => ` ${key}="${quoted(value)}"`).join('')}>${inside.join('')}</${tag}>`,
      ),
  }));
  fc.assert(
    fc.property(element, (inside) => {
      const once = sanitizeSvg(svg(inside));
      if (once === undefined) return;
      expect(sanitizeSvg(once)).toBe(once);
      for (const [, value] of once.matchAll(/href="([^"]*)"/g)) expect(value).toMatch(/^(#|data:image\/)/);
    }),
    { numRuns: 300 },
  );
});
