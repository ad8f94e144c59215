import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Block } from '../../../src/lib/document/document.ts';
import { documentOf } from '../../../src/lib/document/empty.ts';
import { patchMarkdown } from '../../../src/lib/document/markdown/patch/patch-markdown.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { normalizeDocument } from '../../../src/lib/document/normalize.ts';
import { validateDocument } from '../../../src/lib/document/validate.ts';
import { lawRuns } from '../../how-thorough.ts';
import { anyBlocks } from './arbitrary-document.ts';
import { anyMarkdown } from './arbitrary-markdown.ts';
import { meaning, parse } from './markdown-round-trip.ts';

const lineEnds = fc.constantFrom('\n', '\r\n', '\r');

function blocksOf(nodes: unknown[]): Block[] {
  const result = validateDocument({ object: 'document', data: {}, nodes });
  if ('issues' in result) throw new Error(JSON.stringify(result.issues));
  return result.document.nodes;
}

test('a text is its own patch, byte for byte, with any line ends', () => {
  fc.assert(
    fc.property(anyMarkdown, lineEnds, (markdown, lineEnd) => {
      const text = markdown.replaceAll('\n', lineEnd);
      if (parse(text).nodes.length === 0) return;
      expect(patchMarkdown(text, parse(text))).toBe(text);
    }),
    { numRuns: lawRuns(200) },
  );
});

test('a patch of any text means the document', () => {
  fc.assert(
    fc.property(anyMarkdown, anyBlocks, lineEnds, (markdown, nodes, lineEnd) => {
      const document = documentOf(blocksOf(nodes));
      const patched = patchMarkdown(markdown.replaceAll('\n', lineEnd), document);
      expect(meaning(parse(patched))).toBe(meaning(normalizeDocument(document)));
    }),
    { numRuns: lawRuns(75) },
  );
});

test('a patch of a text means the document after blocks were replaced, removed, added and moved', () => {
  const step = fc.record({ kind: fc.constantFrom('replace', 'remove', 'add', 'move'), at: fc.nat(9), to: fc.nat(9) });
  fc.assert(
    fc.property(anyMarkdown, anyBlocks, fc.array(step, { maxLength: 3 }), (markdown, nodes, steps) => {
      const blocks = parse(markdown).nodes;
      const others = blocksOf(nodes);
      for (const { kind, at, to } of steps) {
        const other = others[to % Math.max(1, others.length)];
        const taken = kind === 'add' ? [] : blocks.splice(at % Math.max(1, blocks.length), 1);
        if (kind === 'move') blocks.splice(to, 0, ...taken);
        if ((kind === 'add' || kind === 'replace') && other) blocks.splice(at, 0, other);
      }
      const document = documentOf(blocks);
      expect(meaning(parse(patchMarkdown(markdown, document)))).toBe(meaning(normalizeDocument(document)));
    }),
    { numRuns: lawRuns(75) },
  );
});

test('an edit of one block of a printed document leaves the lines of the others', () => {
  fc.assert(
    fc.property(anyBlocks, fc.nat(), (nodes, at) => {
      const texts = normalizeDocument(documentOf(blocksOf(nodes))).nodes.filter(({ type }) => type === 'paragraph');
      if (texts.length === 0) return;
      const source = printMarkdown(documentOf(texts));
      const blocks = parse(source).nodes;
      const place = at % Math.max(1, blocks.length);
      const [edited] = parse('An edited paragraph.').nodes;
      if (!edited || blocks.length === 0) return;
      const patched = patchMarkdown(source, documentOf(blocks.with(place, edited)));
      const [before, after] = [source, patched].map((text) => new Set(text.split('\n')));
      const changed = [...(after ?? [])].filter((line) => !before?.has(line));
      expect(changed).toEqual(['An edited paragraph.']);
    }),
    { numRuns: lawRuns(50) },
  );
});

test('an edited word is the only change of a text', () => {
  const forms = [
    '***a***',
    '_**a**_',
    '\\(a\\)',
    '$a_b$',
    '[a](b "c")',
    '<b>a</b>',
    '&copy;',
    '__a__',
    'a_b',
    '`a`',
    'a',
    'b',
  ];
  const line = fc.array(fc.constantFrom(...forms), { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
  const containers: ((lines: readonly string[]) => string)[] = [
    (lines) => lines.join('\n'),
    (lines) => `## ${lines.join(' ')}`,
    (lines) => `-   ${lines.join('\n    ')}\n-   b`,
    (lines) => `> ${lines.join('\n> ')}`,
    (lines) => `| a |\n|-|\n| ${lines.join(' ')} |`,
    (lines) => `{% hint style='info' %}\n${lines.join('\n')}\n{% endhint %}`,
  ];
  const texts = fc.record({ before: line, after: line, container: fc.constantFrom(...containers), lineEnd: lineEnds });
  fc.assert(
    fc.property(texts, ({ before, after, container, lineEnd }) => {
      const text = `${container([before, 'such a needle there', after])}\n`.replaceAll('\n', lineEnd);
      const edited = JSON.parse(JSON.stringify(parse(text)).replace('needle', 'thread'));
      expect(patchMarkdown(text, edited)).toBe(text.replace('needle', 'thread'));
    }),
    { numRuns: lawRuns(75) },
  );
});
