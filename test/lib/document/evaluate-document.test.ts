import { describe, expect, test } from 'vitest';
import { evaluateDocument } from '../../../src/lib/document/evaluate-document.ts';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import type { ExpressionScope, Value } from '../../../src/lib/expression/expression.ts';

const vars = new Map<string, Value>([
  ['version', 'v2 *new*'],
  ['count', 3],
  ['released', true],
  ['empty', ''],
  ['long', 'x'.repeat(256)],
]);
const scope: ExpressionScope = new Map([['space', new Map([['vars', vars]])]]);

const evaluated = (markdown: string) => printMarkdown(evaluateDocument(parseMarkdown(markdown).document, scope));
const expression = (source: string) => `<code class="expression">${source}</code>`;

test.each([
  ['Version {space.vars.version} is out.', 'Version v2 \\*new\\* is out.'],
  ['{space.vars.count + 1} pages, {space.vars.released}', '4 pages, true'],
  ['# About {space.vars.count}', '# About 3'],
  ['* {space.vars.count}\n* b', '* 3\n* b'],
  ['| a |\n| - |\n| {space.vars.count} |', null],
  ['a{space.vars.empty}b', 'ab'],
])('%s', (given, wanted) => {
  const source = given.replaceAll(/\{(.*?)\}/g, (_, inner) => expression(inner));
  const shown = evaluated(`${source}\n`);
  expect(shown).not.toContain('space.vars');
  if (wanted !== null) expect(shown).toBe(`${wanted}\n`);
});

describe('stays', () => {
  test.each(['space.vars.missing', 'visitor.claims.beta', 'space.vars', '1 +', 'null', '[1]'])('%s', (source) => {
    const markdown = `Say ${expression(source)} here.\n`;
    expect(evaluated(markdown)).toBe(printMarkdown(parseMarkdown(markdown).document));
  });

  test('a document without expressions is returned as the same object', () => {
    const { document } = parseMarkdown('# Title\n\nText.\n\n{% hint style="info" %}\nA hint.\n{% endhint %}\n');
    expect(evaluateDocument(document, scope)).toBe(document);
  });
});

describe('a conditional block', () => {
  const block = (condition: string, inner: string) =>
    `Before.\n\n{% if ${condition} %}\n${inner}\n{% endif %}\n\nAfter.\n`;

  test('is replaced by its content if its condition is true', () => {
    expect(evaluated(block('space.vars.released', 'It is out.'))).toBe('Before.\n\nIt is out.\n\nAfter.\n');
  });

  test('is removed if it is false', () => {
    expect(evaluated(block('space.vars.count == 4', 'It is out.'))).toBe('Before.\n\nAfter.\n');
  });

  test('stays if its condition has no value, with evaluated content', () => {
    const shown = evaluated(block('visitor.claims.beta', expression('space.vars.count')));
    expect(shown).toBe('Before.\n\n{% if visitor.claims.beta %}\n3\n{% endif %}\n\nAfter.\n');
  });

  test('is evaluated inside of another', () => {
    const inner = '{% if space.vars.count == 3 %}\nThree.\n{% endif %}\n\n{% if false %}\nNever.\n{% endif %}';
    expect(evaluated(block('space.vars.released', inner))).toBe('Before.\n\nThree.\n\nAfter.\n');
  });
});

test('values that are added are bounded', () => {
  const source = expression(Array(30).fill('space.vars.long').join('+'));
  const shown = evaluated(`${Array(300).fill(source).join('\n\n')}\n`);
  expect(shown.length).toBeGreaterThan(900_000);
  expect(shown.length).toBeLessThan(1_200_000);
  expect(shown).toContain('space.vars.long');
});
