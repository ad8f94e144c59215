import { expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { usesOf } from '../../../src/lib/document/uses.ts';
import { variablesIn } from '../../../src/lib/expression/variables-in.ts';

function usesIn(markdown: string) {
  let count = 0;
  return usesOf(parseMarkdown(markdown, { nextKey: () => `key${count++}`, topHeading: 2 }).document);
}

test('a body uses files, reusable contents and variables, each once, and no pages', () => {
  const markdown =
    '![a](file:file_1) [b](page:page_1) ![c](space:space_1/file:file_2) ![a](file:file_1) <code class="expression">space.vars.x + space.vars.y</code>\n';
  expect(usesIn(markdown)).toEqual([
    { kind: 'file', id: 'file_1' },
    { kind: 'file', id: 'file_2', space: 'space_1' },
    { kind: 'variable', id: 'x' },
    { kind: 'variable', id: 'y' },
  ]);
});

test('uses in `if` blocks have the conditions of all blocks around them, which use nothing themselves', () => {
  const markdown = '{% if space.vars.on %}\n![a](file:file_1)\n{% endif %}\n\n![a](file:file_1)\n';
  expect(usesIn(markdown)).toEqual([
    { kind: 'file', id: 'file_1', conditions: ['space.vars.on'] },
    { kind: 'file', id: 'file_1' },
  ]);
});

test('variables are found by the names that an expression contains', () => {
  expect(variablesIn('space.vars.a')).toEqual(['a']);
  expect(variablesIn(`space.vars['b'] ? [space.vars.c, page.vars.d] : !space?.vars?.e`)).toEqual(['b', 'c', 'e']);
  expect(variablesIn('space.vars[page.vars.name] + visitor.claims.f')).toEqual([]);
  expect(variablesIn('space.vars.')).toEqual([]);
});
