import { describe, expect, test } from 'vitest';
import { frameHtml, frameOf } from '../../../src/lib/embed/frame-of.ts';
import { MAX_HEAD, pageMetadata } from '../../../src/lib/embed/page-metadata.ts';

describe('what a page says of itself', () => {
  test('is read from Open Graph before HTML', () => {
    const html = `<!doctype html><html><head>
      <title>Plain
        title</title>
      <meta property="og:title" content="Rich &amp; title"><meta property="og:title" content="second">
      <meta name="og:site_name" content="A site">
      <link rel="shortcut icon" href="/icon.png"><link rel="icon" href="/other.png">
      <link rel="alternate" type="application/json+oembed" href="https://a.example/oembed?x=1">
    </head><body><title>Not this</title></body></html>`;
    expect(pageMetadata(html)).toEqual({
      title: 'Rich & title',
      site: 'A site',
      icon: '/icon.png',
      oembed: 'https://a.example/oembed?x=1',
    });
  });

  test.each([
    ['<title>Only</title>', { title: 'Only' }],
    ['<title>Cut</title><body><meta property="og:title" content="no">', { title: 'Cut' }],
    ['plain text', {}],
    ['', {}],
    ['<meta property="og:title" content="  ">', {}],
  ])('%s', (html, found) => {
    expect(pageMetadata(html)).toEqual(found);
  });

  test.each([
    ['elements in elements', '<div>'.repeat(100_000)],
    ['formatting in formatting', '<b><i>'.repeat(100_000)],
    ['links in links', '<a href=x>'.repeat(100_000)],
    ['tables in tables', '<table><tr><td>'.repeat(100_000)],
    ['attributes', `<meta ${Array.from({ length: 50_000 }, (_, i) => `a${i}=1`).join(' ')}>`],
    ['an open comment', `<!--${'x'.repeat(1_000_000)}`],
    ['selects', '<select><option>'.repeat(100_000)],
  ])('is read in bounded time from %s', (_what, html) => {
    const start = performance.now();
    pageMetadata(`<title>T</title>${html}`);
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(html.length).toBeGreaterThan(MAX_HEAD);
  });
});

describe('a frame', () => {
  test('is made anew of the one that is offered', () => {
    const frame = frameOf(
      '<div><iframe width="560" height="315" src="https://v.example/e/1?a=1&amp;b=2" onload="x()"></iframe></div>',
    );
    expect(frame).toEqual({ src: 'https://v.example/e/1?a=1&b=2', width: 560, height: 315 });
    const html = frameHtml(frame ?? { src: '' });
    expect(html).toMatch(/^<iframe src="https:\/\/v\.example\/e\/1\?a=1&amp;b=2" width="560" height="315" sandbox="/);
    expect(html).not.toMatch(/onload|script>/);
  });

  test.each([
    ['a script', '<script src="https://v.example/x.js"></script>'],
    ['a quotation with a script', '<blockquote>Hi</blockquote><script>x()</script>'],
    ['no https', '<iframe src="http://v.example/"></iframe>'],
    ['a script for an address', '<iframe src="javascript:alert(1)"></iframe>'],
    ['data for an address', '<iframe src="data:text/html,x"></iframe>'],
    ['a document of its own', '<iframe srcdoc="<script>x()</script>"></iframe>'],
    ['two frames', '<iframe src="https://a.example/"></iframe><iframe src="https://b.example/"></iframe>'],
    ['a name and password', '<iframe src="https://a:b@v.example/"></iframe>'],
    ['too much', `<iframe src="https://a.example/"></iframe>${' '.repeat(9_000)}`],
  ])('is not made of %s', (_what, html) => {
    expect(frameOf(html)).toBeUndefined();
  });

  test('cannot be broken out of by its address', () => {
    const src = new URL('https://a.example/"><script>x()</script>').href;
    expect(frameHtml({ src })).not.toContain('<script');
    expect(frameHtml({ src: 'https://a.example/?"<>&' })).toContain('src="https://a.example/?&quot;&lt;&gt;&amp;"');
  });
});
