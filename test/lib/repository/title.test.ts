import { describe, expect, test } from 'vitest';
import { splitTitle } from '../../../src/lib/repository/title.ts';

describe('takeTitle', () => {
  test.each([
    ['a heading on top', '# Title\n\nText\n', 'Title', 'Text\n', 2],
    ['blank lines above', '\n\n# Title\nText', 'Title', 'Text', 3],
    ['underlining', 'Title\n=====\n\nText', 'Title', 'Text', 3],
    ['marks and code', '# The `init` _command_ #\nText', 'The init command', 'Text', 1],
    ['an anchor in HTML', '# Title <a href="#t" id="t"></a>\nText', 'Title', 'Text', 1],
    ['underlining of several lines', 'A\nTitle\n=====\nText', 'A Title', 'Text', 3],
    ['comments above it', '<!-- one -->\n\n<!-- two\n# and -->\n# Title\nText', 'Title', 'Text', 5],
    ['only a title', '# Title', 'Title', '', 1],
  ])('%s', (_, markdown, title, body, removed) => {
    expect(splitTitle(markdown)).toEqual({ title, body, removed });
  });

  test.each([
    ['text', 'Text\n', 'Text\n', 0],
    ['another heading first', '## Part\n\n# Title\n', '## Part\n\n# Title\n', 0],
    ['another heading first, underlined', 'Part\n---\n\n# Title\n', 'Part\n---\n\n# Title\n', 0],
    ['code', '```\n# comment\n```\n', '```\n# comment\n```\n', 0],
    ['a list', '* # Title\n', '* # Title\n', 0],
    ['a quote', '> # Title\n', '> # Title\n', 0],
    ['a tag', '#title\n', '#title\n', 0],
    ['nothing', '', '', 1],
    ['something above it', '![](banner.png)\n\n# Title\n', '![](banner.png)\n\n# Title\n', 0],
    ['code above it', '```sh\n# comment\n```\n\n# Title\n', '```sh\n# comment\n```\n\n# Title\n', 0],
    ['text behind a comment', '<!-- --> Text\n# Title\n', '<!-- --> Text\n# Title\n', 0],
    ['an open comment', '<!--\n# Title\n', '<!--\n# Title\n', 0],
    ['a list, underlined', '* Title\n===\n', '* Title\n===\n', 0],
  ])('%s has no title', (_, markdown, body, removed) => {
    expect(splitTitle(markdown)).toEqual({ body, removed });
  });

  test('an empty heading is removed and is not a title', () => {
    expect(splitTitle('#\n\nText')).toEqual({ body: 'Text', removed: 2 });
  });

  test('a very long page is not searched', () => {
    expect(splitTitle(`<!-- ${'word '.repeat(20_000)} -->\n# Late\n`)).not.toHaveProperty('title');
    expect(splitTitle(`<!-- ${'word '.repeat(3_000)} -->\n# Early ${'word '.repeat(300)}\n`).title).toBe(undefined);
    expect(splitTitle(`# Early\n${'* '.repeat(50_000)}`).title).toBe('Early');
  });
});
