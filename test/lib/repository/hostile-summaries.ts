/** Tables of contents that exceed a limit, by a size: what they are, the text, and the size at which they do. */
export const HOSTILE_SUMMARIES: [what: string, markdownOf: (size: number) => string, size: number][] = [
  [
    'nested',
    (depth) => Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}* [A](a.md)`).join('\n'),
    500,
  ],
  ['nested in one line', (depth) => '* '.repeat(depth), 100_000],
  ['made of emphasis', (count) => '**a_'.repeat(count), 50_000],
  ['long', (lines) => `* [A](a.md)${'\n'.repeat(lines)}`, 600_000],
  ['made of tabs', (lines) => `* [A](a.md)${'\t\n'.repeat(lines)}`, 300_000],
];
