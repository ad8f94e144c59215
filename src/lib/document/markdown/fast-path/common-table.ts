import type { AlignType, RootContent, TableCell, TableRow } from 'mdast';
import { trimEndOf, trimOf } from '../../../trim-characters.ts';
import { commonText } from './common-text.ts';
import { type Lines, positionOfLines } from './lines.ts';

const rule = /^:?-+:?$/;

/** A table with bars around all its rows, which have the same number of cells. The lines end with the table. */
export function commonTable({ texts, from, line }: Lines): { node: RootContent; count: number } | undefined {
  const rows: string[][] = [];
  let to = from;
  for (; to < texts.length && !isBlank(texts[to]); to++) {
    const cells = cellsOf(texts[to] ?? '');
    if (cells === undefined || (rows[0] && cells.length !== rows[0].length)) return undefined;
    rows.push(cells);
  }
  const [head, rules, ...body] = rows;
  if (!head || !rules?.every((cell) => rule.test(cell))) return undefined;
  const children: TableRow[] = [];
  for (const [i, cells] of [head, ...body].entries()) {
    const rowLine = line + (i === 0 ? 0 : i + 1);
    const read = readCells(cells, rowLine);
    if (read === undefined) return undefined;
    children.push({ type: 'tableRow', children: read, position: positionOfLines(rowLine) });
  }
  const count = to - from;
  const node: RootContent = {
    type: 'table',
    align: rules.map(alignOf),
    children,
    position: positionOfLines(line, line + count - 1),
  };
  return { node, count };
}

const isBlank = (text = '') => /^[ \t]*$/.test(text);

function cellsOf(text: string): string[] | undefined {
  const trimmed = trimEndOf(text, ' \t');
  if (!/^\|.*\|$/.test(trimmed) || trimmed.includes('\\|')) return undefined;
  const cells = trimmed.slice(1, -1).split('|');
  return cells.map((cell) => trimOf(cell, ' \t'));
}

function readCells(cells: readonly string[], line: number): TableCell[] | undefined {
  const read: TableCell[] = [];
  for (const cell of cells) {
    const children = commonText(cell, line);
    if (children === undefined) return undefined;
    read.push({ type: 'tableCell', children, position: positionOfLines(line) });
  }
  return read;
}

function alignOf(cell: string): AlignType {
  const [first, last] = [cell.startsWith(':'), cell.endsWith(':')];
  if (first && last) return 'center';
  return first ? 'left' : last ? 'right' : null;
}
