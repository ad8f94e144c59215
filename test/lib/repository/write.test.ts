import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { lineSketch, similarity } from '../../../src/lib/repository/line-sketch.ts';
import { parseSummary, type SummaryItem } from '../../../src/lib/repository/summary.ts';
import { assignPaths } from '../../../src/lib/repository/write/page-paths.ts';
import { patchHead } from '../../../src/lib/repository/write/patch-head.ts';
import { patchMapping } from '../../../src/lib/repository/write/patch-mapping.ts';
import { patchSummary, type SummaryEntry } from '../../../src/lib/repository/write/patch-summary.ts';
import { TakenPaths } from '../../../src/lib/repository/write/taken-paths.ts';
import { expectLinear } from '../../growth.ts';

const key = fc.constantFrom('a', 'b', 'c', 'description', 'x y');
const value = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.integer(),
  fc.boolean(),
  fc.array(fc.integer(), { maxLength: 3 }),
);
const mapping = fc.dictionary(key, value, { maxKeys: 4 });
const lines = (data: Record<string, unknown>) =>
  Object.entries(data)
    .map(([name, each]) => `# about ${name}\n${JSON.stringify(name)}:  ${JSON.stringify(each)} # kept\n`)
    .join('');

test('a patched mapping has the new values, and keeps every other line', () => {
  fc.assert(
    fc.property(
      mapping,
      fc.dictionary(key, fc.option(value, { nil: undefined }), { maxKeys: 3 }),
      (before, changes) => {
        const text = lines(before);
        const patched = patchMapping(text, new Map(Object.entries(changes)));
        const wanted = Object.fromEntries(
          Object.entries({ ...before, ...changes }).filter(([, each]) => each !== undefined),
        );
        expect(parse(patched) ?? {}).toEqual(wanted);
        for (const name of Object.keys(before)) {
          if (Object.hasOwn(changes, name)) continue;
          expect(patched).toContain(lines({ [name]: before[name] }));
        }
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ['folded: >-\n  one\n  two\nb: 1\n', 'folded', 'x', 'folded: x\nb: 1\n'],
  ['a: |\n  one\n\nb: 1\n', 'a', 'x', 'a: x\n\nb: 1\n'],
  ['a: 1\n# last\n', 'b', 2, 'a: 1\n# last\nb: 2\n'],
  ['a: 1', 'b', 2, 'a: 1\nb: 2\n'],
  ['{ a: 1 }\n', 'b', 2, 'a: 1\nb: 2\n'],
  ['layout:\n  cover:\n    visible: true\nb: 1\n', 'layout', undefined, 'b: 1\n'],
  ['a:\nb: 1\n', 'a', 'x', 'a: x\nb: 1\n'],
])('%j with %s is patched', (text, name, next, patched) => {
  expect(patchMapping(text, new Map([[name, next]]))).toBe(patched);
});

test.each(['a: [1\n', 'b: 1\n\ta: 2\n', 'a: "1\n'])('%j is not valid YAML, and stays as it is', (text) => {
  expect(patchMapping(text, new Map([['b', 2]]))).toBe(text);
});

test.each([
  ['', { title: 'A' }, '# A\n\n'],
  ['# A\n\n', { title: 'B *c*' }, '# B \\*c\\*\n\n'],
  ['A\n=\n\n', { title: 'B' }, '# B\n\n'],
  ['---\nx: 1\n---\n# A\n\n', { settings: { x: undefined } }, '# A\n\n'],
  ['---\nx: 1\n---\n\n', { title: 'A' }, '---\nx: 1\n---\n\n# A\n\n'],
  ['# A\n\n', { settings: { x: 1 } }, '---\nx: 1\n---\n\n# A\n\n'],
])('the head %j is patched', (head, { settings = {}, title }: { settings?: object; title?: string }, patched) => {
  expect(patchHead(head, { settings: new Map(Object.entries(settings)), title }, '\n')).toBe(patched);
  const windows = (text: string) => text.replaceAll('\n', '\r\n');
  expect(patchHead(windows(head), { settings: new Map(Object.entries(settings)), title }, '\r\n')).toBe(
    windows(patched),
  );
});

/** A page tree as entries: names are unique. */
const entries = fc
  .array(fc.record({ name: fc.integer({ min: 0, max: 12 }), kind: fc.constantFrom('page', 'below', 'group') }), {
    maxLength: 10,
  })
  .map((items) => {
    const seen = new Set<number>();
    const all: SummaryEntry[] = [];
    for (const { name, kind } of items) {
      if (seen.has(name)) continue;
      seen.add(name);
      const last = all.at(-1);
      const inGroup = last !== undefined && (last.isHeading || last.inGroup);
      const base = { id: String(name), title: `Page ${name}`, shortTitle: undefined };
      if (kind === 'group') all.push({ ...base, depth: 0, isHeading: true, inGroup: false });
      else
        all.push({
          ...base,
          url: `${name}.md`,
          depth: kind === 'below' && last && !last.isHeading ? last.depth + 1 : 0,
          isHeading: false,
          inGroup,
        });
    }
    return all;
  });

const flat = (
  items: readonly SummaryItem[],
  depth = 0,
): { title: string; depth: number; isHeading: boolean; line: number }[] =>
  items.flatMap(({ title, isHeading, line, children }) => [
    { title, depth, isHeading, line },
    ...flat(children, isHeading ? depth : depth + 1),
  ]);

/** The text with items indented by other widths, the same for those of one parent. */
function indentedBy(widths: readonly number[], text: string): string {
  const open: { before: number; content: number; width: number }[] = [];
  const lines = text.split('\n').map((line, index) => {
    const before = line.search(/\S/);
    if (!line.slice(before).startsWith('* ')) return line;
    while ((open.at(-1)?.before ?? -1) >= before) open.pop();
    const parent = open.at(-1);
    const indent = parent ? parent.content + parent.width : 0;
    open.push({ before, content: indent + 2, width: widths[index % widths.length] ?? 0 });
    return ' '.repeat(indent) + line.slice(before);
  });
  return lines.join('\n');
}

const widths = fc.array(fc.nat(3), { minLength: 1, maxLength: 5 });

test('a patched table of contents has the wanted entries, by whatever width items are indented', () => {
  fc.assert(
    fc.property(entries, entries, widths, (before, wanted, extra) => {
      const first = indentedBy(extra, patchSummary('', [], before));
      const read = flat(parseSummary(first).items);
      const shape = (all: readonly SummaryEntry[]) =>
        all.map(({ title, depth, isHeading }) => ({ title, depth, isHeading }));
      expect(read.map(({ line: _, ...entry }) => entry)).toEqual(shape(before));
      const written = before.map((entry, index) => ({ ...entry, line: read[index]?.line ?? 0 }));
      expect(patchSummary(first, written, before)).toBe(first);
      const second = patchSummary(first, written, wanted);
      expect(flat(parseSummary(second).items).map(({ line: _, ...entry }) => entry)).toEqual(shape(wanted));
    }),
    { numRuns: 300 },
  );
});

test.each(['F #', '#', '# ##', 'C#', 'a # b'])('a group with the title %j keeps it', (title) => {
  const group = { id: 'g', depth: 0, isHeading: true, inGroup: false, title };
  const page = { id: 'p', depth: 0, isHeading: false, inGroup: true, title: 'P', url: 'p.md' };
  const [read] = parseSummary(patchSummary('', [], [group, page])).items;
  expect(read?.title).toBe(title);
});

test('blank lines around an entry that goes take time that grows with their number', async () => {
  const entry = (id: string) => ({ id, depth: 0, isHeading: false, inGroup: false, title: id, url: `${id}.md` });
  const patched = (blanks: number) =>
    patchSummary(
      `# Contents\n\n* [a](a.md)\n${'\n'.repeat(blanks)}* [b](b.md)\n`,
      [
        { ...entry('a'), line: 3 },
        { ...entry('b'), line: blanks + 4 },
      ],
      [entry('b')],
    );
  expect(patched(3)).toBe('# Contents\n\n* [b](b.md)\n');
  await expectLinear(patched, (size) => size, 4_000);
});

test('paths are unique, regardless of case', () => {
  const page = (pageId: string, slug: string, parentId: string | null = null) => ({
    pageId,
    slug,
    parentId,
    kind: 'document' as const,
    hasFile: true,
    isInPlace: true,
    hasSameParent: true,
  });
  const pages = [page('1', 'home'), page('2', 'Guide'), page('3', 'guide'), page('4', 'inner', '3')];
  const paths = assignPaths(pages, { root: 'docs', readme: 'docs/README.md', taken: ['docs/GUIDE.md'] });
  expect([...paths.values()]).toEqual([
    'docs/README.md',
    'docs/Guide-2.md',
    'docs/guide/README.md',
    'docs/guide/inner.md',
  ]);
});

test.each([
  ['con.md', '.md', 'con-2.md'],
  ['AUX/README.md', '/README.md', 'AUX-2/README.md'],
  ['docs/nul.test.md', '.md', 'docs/nul-2.test.md'],
  ['assets/com1.png', '.png', 'assets/com1-2.png'],
  ['v1./README.md', '/README.md', 'v1/README.md'],
  ['console.md', '.md', 'console.md'],
  ['a\\b.md', '.md', 'a-b.md'],
  ['what?.md', '.md', 'what-.md'],
  ['c:d/README.md', '/README.md', 'c-d/README.md'],
  ['.git/README.md', '/README.md', '.git-2/README.md'],
  ['docs/.Git. /a.md', '.md', 'docs/.Git-2/a.md'],
  ['.github/README.md', '/README.md', '.github/README.md'],
])('the path %s can be checked out on Windows too', (wanted, end, path) => {
  expect(new TakenPaths().take(wanted, end)).toBe(path);
});

test('texts that share lines have similar sketches', () => {
  const text = Array.from({ length: 200 }, (_, index) => `line ${index}`);
  const edited = text.map((line, index) => (index % 10 === 0 ? `${line}!` : line));
  const score = similarity(lineSketch(text.join('\n')), lineSketch(edited.join('\n')));
  expect(score).toBeGreaterThan(0.6);
  expect(similarity(lineSketch('a\nb'), lineSketch('c\nd'))).toBe(0);
  expect(similarity(lineSketch(''), lineSketch(''))).toBe(0);
});

test('paths that are taken get a number, in time that grows with their number', async () => {
  const taken = new TakenPaths(['a.md', 'B.md', 'link']);
  expect(taken.take('b.md', '.md')).toBe('b-2.md');
  expect(taken.take('a.md/c.md', '.md')).toBe('a.md-2/c.md');
  expect(taken.take('link/README.md', '/README.md')).toBe('link-2/README.md');
  expect(taken.take('link-2', '')).toBe('link-2-2');
  const takeAll = (count: number) => {
    const paths = new TakenPaths();
    for (let index = 0; index < count; index++) paths.take('folder/file.png', '.png');
    expect(paths.isFree(`folder/file-${count}.png`)).toBe(false);
    expect(paths.isFree(`folder/file-${count + 1}.png`)).toBe(true);
  };
  await expectLinear(takeAll, (size) => size, 5_000);
});
