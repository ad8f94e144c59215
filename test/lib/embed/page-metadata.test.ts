import { describe, expect, test } from 'vitest';
import { embeddedFrame, frameHtml } from '../../../src/lib/embed/embedded-frame.ts';
import { MAX_HEAD, pageMetadata } from '../../../src/lib/embed/page-metadata.ts';
import { expectLinear } from '../../growth.ts';

describe('metadata of a page', () => {
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

  test.each<[name: string, htmlOf: (count: number) => string, count: number]>([
    ['elements in elements', (count) => '<div>'.repeat(count), 100_000],
    ['formatting in formatting', (count) => '<b><i>'.repeat(count), 100_000],
    ['links in links', (count) => '<a href=x>'.repeat(count), 100_000],
    ['tables in tables', (count) => '<table><tr><td>'.repeat(count), 100_000],
    ['attributes', (count) => `<meta ${Array.from({ length: count }, (_, i) => `a${i}=1`).join(' ')}>`, 50_000],
    ['an open comment', (count) => `<!--${'x'.repeat(count)}`, 1_000_000],
    ['selects', (count) => '<select><option>'.repeat(count), 100_000],
  ])('is read as far as a head goes, and in time proportional to it, from %s', async (_what, htmlOf, count) => {
    const page = (size: number) => `<title>T</title>${htmlOf(size)}`;
    const [html, cut] = [page(count), page(count).slice(0, MAX_HEAD)];
    expect(html.length).toBeGreaterThan(MAX_HEAD);
    expect(pageMetadata(html)).toEqual(pageMetadata(cut));
    const ofHead = Math.ceil((count * MAX_HEAD) / html.length);
    await expectLinear(pageMetadata, page, ofHead / 4);
    await expectLinear(pageMetadata, page, ofHead);
  });
});

describe('a frame', () => {
  test('is rebuilt from the offered one', () => {
    const frame = embeddedFrame(
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
    expect(embeddedFrame(html)).toBeUndefined();
  });

  test('cannot be broken out of by its address', () => {
    const src = new URL('https://a.example/"><script>x()</script>').href;
    expect(frameHtml({ src })).not.toContain('<script');
    expect(frameHtml({ src: 'https://a.example/?"<>&' })).toContain('src="https://a.example/?&quot;&lt;&gt;&amp;"');
  });
});
