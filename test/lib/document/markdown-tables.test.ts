import { describe, expect, test } from 'vitest';
import type { BlockOf } from '../../../src/lib/document/document.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { textOf } from '../../../src/lib/document/plain-text.ts';
import { cellAt, cellsOf, recordsOf, tableColumns } from '../../../src/lib/document/table-cells.ts';
import { expectStable, expectValid, parse } from './markdown-round-trip.ts';

function tableIn(markdown: string): BlockOf<'table'> {
  const document = parse(markdown);
  expectValid(document);
  expectStable(document);
  const table = document.nodes.find((node) => node.type === 'table');
  if (table?.type !== 'table') throw new Error('There is no table.');
  return table;
}

/** The texts and values of a table, row by row. */
function valuesIn(table: BlockOf<'table'>): unknown[][] {
  const cells = cellsOf(table);
  return recordsOf(table).map(([, record]) =>
    tableColumns(table).map((column) => {
      const cell = cellAt(cells, record, column);
      return cell ? textOf(cell) : record.values[column.id];
    }),
  );
}

describe('tables with bars', () => {
  test('are grids of text columns', () => {
    const table = tableIn('| a | b |\n|---|--:|\n| 1 | **2** |\n| 3 |');
    expect(tableColumns(table).map(({ title, type }) => [title, type])).toEqual([
      ['a', 'text'],
      ['b', 'text'],
    ]);
    expect(tableColumns(table)[1]).toMatchObject({ textAlignment: 'right' });
    expect(table.data.view).toMatchObject({ type: 'grid', hideHeader: false });
    expect(valuesIn(table)).toEqual([
      ['1', '2'],
      ['3', undefined],
    ]);
  });

  test('hide a header without titles', () => {
    expect(tableIn('| | |\n|-|-|\n| a | b |').data.view).toMatchObject({ hideHeader: true });
  });

  test('keep bars, line breaks and spaces in cells', () => {
    expect(valuesIn(tableIn('| a |\n|-|\n| `x\\|y` \\| z<br>&#x20;w |'))).toEqual([['x|y | z\n w']]);
  });

  test('add cells beyond the last column to it', () => {
    expect(valuesIn(tableIn('| a |\n|-|\n| 1 | 2 | 3 |'))).toEqual([['1 2 3']]);
  });

  test('keep marks, links and images in titles', () => {
    const markdown = '| **a** | [b](c) | ![d](e) |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n';
    const table = tableIn(markdown);
    expect(tableColumns(table).map(({ title }) => title)).toEqual(['a', 'b', 'd']);
    expect(printMarkdown(parse(markdown))).toBe(markdown);
  });

  test('keep paragraphs, lists and breaks in cells apart', () => {
    const table = tableIn(
      '| a |\n|-|\n| <p>bigint</p><p>number</p> |\n| <ul><li>**x**</li><li>y</li></ul> |\n| u<br>v |',
    );
    expect(valuesIn(table)).toEqual([['bigint\nnumber'], ['x\ny'], ['u\nv']]);
  });

  test('read a title that a client changed from then on as plain text', () => {
    const document = parse('| **a** |\n| --- |\n| 1 |\n');
    const [table] = document.nodes;
    if (table?.type !== 'table') throw new Error('There is no table.');
    for (const column of Object.values(table.data.definition)) column.title = 'b';
    expect(printMarkdown(document)).toBe('| b |\n| --- |\n| 1 |\n');
  });
});

describe('tables in HTML', () => {
  test('keep the blocks of cells and titles apart', () => {
    const table = tableIn(
      '<table><thead><tr><th><p>Column</p><p>Type</p></th></tr></thead><tbody><tr><td><p>bigint</p><p>number</p></td></tr>' +
        '<tr><td>one<ul><li>two</li></ul></td></tr></tbody></table>',
    );
    expect(tableColumns(table).map(({ title }) => title)).toEqual(['Column Type']);
    expect(valuesIn(table)).toEqual([['bigint\nnumber'], ['one\ntwo']]);
  });

  test('read the choices of a column, and keep hidden columns at their place', () => {
    const table = tableIn(
      '<table><thead><tr><th>a</th><th data-type="select" data-hidden>b<select><option value="o1" label="One" color="blue">' +
        '</option></select></th><th>c</th></tr></thead><tbody><tr><td>1</td><td><span data-option="o1">One</span></td><td>2' +
        '</td></tr></tbody></table>',
    );
    expect(tableColumns(table).map(({ title }) => title)).toEqual(['a', 'b', 'c']);
    expect(table.data.view.columns).toHaveLength(2);
    expect(tableColumns(table)[1]).toMatchObject({ options: [{ value: 'o1', label: 'One', color: 'blue' }] });
    expect(valuesIn(table)).toEqual([['1', ['o1'], '2']]);
  });

  test('are cards with their roles', () => {
    const table = tableIn(
      '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th>' +
        '<th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td><b>a</b></td>' +
        '<td><a href="page:p">P</a></td><td><a href="file:f">f.png</a></td></tr></tbody></table>',
    );
    expect(table.data.view).toEqual({
      type: 'cards',
      cardSize: 'medium',
      columns: ['column000'],
      targetDefinition: 'column001',
      coverDefinition: 'column002',
    });
    expect(valuesIn(table)).toEqual([['a', { kind: 'page', page: 'p' }, ['f']]]);
  });

  test.each([
    ['number', '<td>1.5</td>', 1.5],
    ['number', '<td></td>', undefined],
    ['rating', '<td>4</td>', 4],
    ['checkbox', '<td>true</td>', true],
    ['checkbox', '<td><input type="checkbox"></td>', false],
    ['select', '<td>a, b c</td>', ['a', 'b c']],
    ['users', '<td><a href="user:u">U</a> <a href="user:v">V</a></td>', ['u', 'v']],
    ['files', '<td><a href="https://a.b/c.png">c</a></td>', { kind: 'url', url: 'https://a.b/c.png' }],
    ['image', '<td><img src="file:f"></td>', { kind: 'file', file: 'f' }],
    ['content-ref', '<td data-value=\'{"kind":"space","space":"s"}\'></td>', { kind: 'space', space: 's' }],
    ['select', '<td data-value=\'["a,b"]\'></td>', ['a,b']],
    ['number', '<td data-value="{}">2</td>', 2],
  ])('read a %s out of %s', (type, cell, value) => {
    const table = tableIn(`<table><thead><tr><th data-type="${type}">t</th></tr></thead><tr>${cell}</tr></table>`);
    expect(valuesIn(table)).toEqual([[value]]);
  });

  test('hold blocks in cells', () => {
    const table = tableIn('<table><tr><td><p>a</p><ul><li>b</li><li>c</li></ul></td></tr></table>');
    expect(table.fragments[0]?.nodes.map(({ type }) => type)).toEqual(['paragraph', 'list-unordered']);
  });

  test('keep the places that spanning cells cover', () => {
    const table = tableIn(
      '<table><tr><th>a</th><th>b</th><th>c</th></tr><tr><td rowspan="2" colspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></table>',
    );
    expect(valuesIn(table)).toEqual([
      ['1', undefined, '2'],
      [undefined, undefined, '3'],
    ]);
    expect(table.data.cellMerges).toEqual([
      { anchor: { record: 'record0', column: 'column000' }, rowSpan: 2, colSpan: 2 },
    ]);
  });

  test('leave out column types that are not known', () => {
    const table = tableIn('<table><tr><th data-type="rocket">a</th></tr><tr><td>b</td></tr></table>');
    expect(tableColumns(table)).toMatchObject([{ type: 'text', title: 'a' }]);
  });
});
