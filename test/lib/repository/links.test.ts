import { describe, expect, test } from 'vitest';
import { DEFAULT_CONFIGURATION } from '../../../src/lib/repository/configuration.ts';
import { resolveLink } from '../../../src/lib/repository/links.ts';
import { type RepositoryFiles, repositoryFiles } from '../../../src/lib/repository/repository-files.ts';

const PAGES = [
  'README.md',
  'guide/README.md',
  'guide/first.md',
  'guide/a b.md',
  'guide/100%.md',
  'Größe.md',
  'api/v1.0.md',
];
const FILES = [
  'guide/draft.md',
  '.gitbook/assets/a (1).png',
  '.gitbook/includes/note.md',
  'img/Logo.PNG',
  'x/y.md',
  'x/Y.md',
];

const known: RepositoryFiles = {
  ...repositoryFiles([...PAGES, ...FILES], {
    ...DEFAULT_CONFIGURATION,
    redirects: [
      { from: 'old/first', file: 'guide/first.md' },
      { from: 'lost', file: 'gone.md' },
    ],
  }),
  pages: new Set(PAGES),
  pagePaths: new Map([['basics/first', 'guide/first.md']]),
};

const page = (file: string, anchor?: string) => ({ kind: 'page', file, ...(anchor ? { anchor } : {}) });

describe('a link of guide/first.md', () => {
  test.each([
    ['./README.md', page('guide/README.md')],
    ['README.md#top', page('guide/README.md', 'top')],
    ['../README.md', page('README.md')],
    ['..', page('README.md')],
    ['../guide/', page('guide/README.md')],
    ['.', page('guide/README.md')],
    ['../guide#part', page('guide/README.md', 'part')],
    ['/guide/first', page('guide/first.md')],
    ['/', page('README.md')],
    ['../api/v1.0', page('api/v1.0.md')],
    ['first.html', page('guide/first.md')],
    ['a%20b.md', page('guide/a b.md')],
    ['a b.md', page('guide/a b.md')],
    ['100%.md', page('guide/100%.md')],
    ['100%25.md?plain=1#l%C3%A4nge', page('guide/100%.md', 'länge')],
    ['../Gro\u0308%C3%9Fe.md', page('Größe.md')],
    ['#here', page('guide/first.md', 'here')],
    ['first.md#', page('guide/first.md')],
    ['/basics/first', page('guide/first.md')],
  ])('%s leads to a page', (url, target) => {
    expect(resolveLink('guide/first.md', url, known)).toEqual(target);
  });

  test.each([
    ['../.gitbook/assets/a%20%281%29.png', '.gitbook/assets/a (1).png'],
    ['/img/Logo.PNG?raw=true', 'img/Logo.PNG'],
    ['../.gitbook/includes/note.md', '.gitbook/includes/note.md'],
  ])('%s leads to a file', (url, path) => {
    expect(resolveLink('guide/first.md', url, known)).toEqual({ kind: 'file', path });
  });

  test.each(['https://example.com/a.md', 'HTTP://EXAMPLE.COM', 'mailto:a@example.com', '//example.com/x', 'tel:+123'])(
    '%s is external',
    (url) => {
      expect(resolveLink('guide/first.md', url, known)).toEqual({ kind: 'url', url });
    },
  );

  test.each([
    ['FIRST.md', page('guide/first.md'), 'the file is written "guide/first.md"'],
    ['/readme', page('README.md'), 'the file is written "README.md"'],
    ['../img/logo.png', { kind: 'file', path: 'img/Logo.PNG' }, 'the file is written "img/Logo.PNG"'],
    ['/old/first/#x', page('guide/first.md', 'x'), '"old/first" is redirected to "guide/first.md"'],
    ['../old/first', page('guide/first.md'), '"old/first" is redirected to "guide/first.md"'],
    ['../a b', page('guide/a b.md'), 'read as an address of the site, it means "guide/a b.md"'],
  ])('%s works, with a note', (url, target, note) => {
    expect(resolveLink('guide/first.md', url, known)).toEqual({ ...target, note });
  });

  test.each([
    ['missing.md#x', 'there is no file "guide/missing.md"'],
    ['../img/none.png', 'there is no file "img/none.png"'],
    ['/lost', 'there is no file "lost"'],
    ['../../etc/passwd', 'it leads out of the repository'],
    ['draft.md', '"guide/draft.md" is not a page: it is not in the table of contents'],
    ['../x/Y.MD', 'there is no file "x/Y.MD"'],
    ['../img/', 'there is no file "img"'],
    ['', 'it has no address'],
    ['broken-reference/', 'its target was gone when it was written'],
    ['toString', 'there is no file "guide/toString"'],
  ])('%j is broken', (url, reason) => {
    expect(resolveLink('guide/first.md', url, known)).toEqual({ kind: 'broken', url, reason });
  });

  test("a leading slash means the documentation's folder, or else the repository", () => {
    const configuration = { ...DEFAULT_CONFIGURATION, root: 'docs', readme: 'docs/README.md' };
    const paths = ['docs/README.md', 'docs/a.md', 'a.md', 'img/x.png'];
    const docs = { ...repositoryFiles(paths, configuration), pages: new Set(['docs/README.md', 'docs/a.md']) };
    expect(resolveLink('docs/README.md', '/a.md', docs)).toEqual(page('docs/a.md'));
    expect(resolveLink('docs/a.md', '/', docs)).toEqual(page('docs/README.md'));
    expect(resolveLink('docs/a.md', '/img/x.png', docs)).toEqual({ kind: 'file', path: 'img/x.png' });
    expect(resolveLink('docs/a.md', '../img/x.png', docs)).toEqual({ kind: 'file', path: 'img/x.png' });
  });
});
