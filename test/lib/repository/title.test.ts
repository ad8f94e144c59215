import { describe, expect, test } from 'vitest';
import { takeTitle } from '../../../src/lib/repository/title.ts';

describe('takeTitle', () => {
  test.each([
    ['a heading on top', '# Title\n\nText\n', 'Title', 'Text\n', 2],
    ['blank lines above', '\n\n# Title\nText', 'Title', 'Text', 3],
    ['underlining', 'Title\n=====\n\nText', 'Title', 'Text', 3],
    ['marks and code', '# The `init` _command_ #\nText', 'The init command', 'Text', 1],
    ['an anchor in HTML', '# Title <a href="#t" id="t"></a>\nText', 'Title', 'Text', 1],
    ['something above it', '![](banner.png)\n\n# Title\n\nText', 'Title', '![](banner.png)\n\n\n\nText', 0],
    [
      'a comment in code above it',
      '```sh\n# comment\n```\n\n# Title\nText',
      'Title',
      '```sh\n# comment\n```\n\n\nText',
      0,
    ],
    ['only a title', '# Title', 'Title', '', 1],
  ])('%s', (_, markdown, title, body, removed) => {
    expect(takeTitle(markdown)).toEqual({ title, body, removed });
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
  ])('%s has no title', (_, markdown, body, removed) => {
    expect(takeTitle(markdown)).toEqual({ body, removed });
  });

  test('an empty heading is removed and is not a title', () => {
    expect(takeTitle('#\n\nText')).toEqual({ body: 'Text', removed: 2 });
  });

  test('a very long page is not searched', () => {
    const text = 'word '.repeat(20_000);
    expect(takeTitle(`${text}\n\n# Late\n`)).not.toHaveProperty('title');
    expect(takeTitle(`# Early\n${'* '.repeat(50_000)}`).title).toBe('Early');
    expect(takeTitle(`${'* '.repeat(8000)}\n\n# Title\n`).title).toBe('Title');
  });
});
