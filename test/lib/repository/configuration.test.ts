import { describe, expect, test } from 'vitest';
import { DEFAULT_CONFIGURATION, parseConfiguration } from '../../../src/lib/repository/configuration.ts';

describe('.gitbook.yaml', () => {
  test('names the folder, the home page, the table of contents and redirects, all relative to the folder', () => {
    const text = `
root: ./docs/

structure:
  readme: intro/README.md
  summary: ./TOC.md

redirects:
  # moved
  /old/page/: new/page.md
  2.0: 'v2/README.md'
`;
    expect(parseConfiguration(text)).toEqual({
      configuration: {
        root: 'docs',
        readme: 'docs/intro/README.md',
        summary: 'docs/TOC.md',
        redirects: [
          { from: 'old/page', file: 'docs/new/page.md', line: 10 },
          { from: '2.0', file: 'docs/v2/README.md', line: 11 },
        ],
      },
      isUsable: true,
      report: [],
    });
  });

  test.each(['', '# nothing\n', 'root: ./\n', 'structure:\n', 'structure: {}\nredirects:\n', 'root:\n'])(
    'is ignored: %j',
    (text) => {
      expect(parseConfiguration(text)).toEqual({ configuration: DEFAULT_CONFIGURATION, isUsable: true, report: [] });
    },
  );

  test.each([
    ['not YAML', 'root: [', 'The file was not read: ', false],
    ['a list', '- a', '".gitbook.yaml" must be a mapping', false],
    ['a number for a path', 'root: 3', '"root" must be a path', false],
    ['a path that leads out', 'root: ../secret', '"root" must be a path', false],
    ['a list for the structure', 'structure: [a]', '"structure" must be a mapping', false],
    ['a list for the table of contents', 'structure:\n  summary: [a]', '"summary" must be a path', false],
    ['a text for redirects', 'redirects: none', '"redirects" must be a mapping', true],
    ['a redirect to nothing', 'redirects:\n  a: [b]', 'The redirect of "a" has no target file.', true],
    ['an unknown member', 'plugins: []', '"plugins" is not a known setting.', true],
  ])('%s is reported and counts as absent', (_, text, message, usable) => {
    const { configuration, isUsable, report } = parseConfiguration(text);
    expect(configuration).toEqual(DEFAULT_CONFIGURATION);
    expect(isUsable).toBe(usable);
    expect(report[0]).toMatchObject({ file: '.gitbook.yaml', message: expect.stringContaining(message) });
  });

  test('valid entries next to an invalid one are used', () => {
    const { configuration, report } = parseConfiguration(
      'root: 3\nstructure:\n  summary: TOC.md\nredirects:\n  a: b.md\n  c: 1\n',
    );
    expect(configuration).toEqual({
      ...DEFAULT_CONFIGURATION,
      summary: 'TOC.md',
      redirects: [{ from: 'a', file: 'b.md', line: 5 }],
    });
    expect(report.map(({ line }) => line)).toEqual([1, 6]);
  });
});
