import type { List, ListItem, RootContent } from 'mdast';
import { commonParagraph, startsParagraph } from './common-paragraph.ts';
import { type Lines, positionOfLines } from './lines.ts';

const item = /^( *)([-*+]|(\d{1,9})[.)])( {1,4})(?:\[([ x])\] )?(\S.*)$/;

interface Line {
  indent: number;
  /** Column of the text. */
  inner: number;
  sign: string;
  number: number | null;
  checked: boolean | null;
  text: string;
}

interface Open {
  list: List;
  indent: number;
  inner: number;
  sign: string;
}

/** A list whose items are paragraphs, with lists below them. The lines end with the list. */
export function commonList({ texts, from, line }: Lines): { node: RootContent; count: number } | undefined {
  const open: Open[] = [];
  const paragraphs: { item: ListItem; lines: string[]; line: number }[] = [];
  let to = from;
  for (; to < texts.length && !/^[ \t]*$/.test(texts[to] ?? ''); to++) {
    const text = texts[to] ?? '';
    const read = readLine(text);
    const last = paragraphs.at(-1);
    const list = open.at(-1);
    if (read) {
      const added = place(open, read, line + to - from);
      if (!added) return undefined;
      paragraphs.push({ item: added, lines: [read.text], line: line + to - from });
    } else if (last && list && text.startsWith(' '.repeat(list.inner)) && startsParagraph(text.slice(list.inner))) {
      last.lines.push(text.slice(list.inner));
      extend(open, line + to - from);
    } else return undefined;
  }
  for (const { item: owner, lines, line: at } of paragraphs) {
    const read = commonParagraph({ texts: lines, from: 0, line: at });
    if (read?.count !== lines.length) return undefined;
    owner.children.unshift(read.node);
  }
  const node = open[0]?.list;
  return node && { node, count: to - from };
}

function readLine(text: string): Line | undefined {
  const [, indent = '', marker = '', number, space = '', box, content = ''] = item.exec(text) ?? [];
  if (!startsParagraph(content)) return undefined;
  return {
    indent: indent.length,
    inner: indent.length + marker.length + space.length,
    sign: marker.slice(-1),
    number: number === undefined ? null : Number(number),
    checked: box === undefined ? null : box === 'x',
    text: content,
  };
}

/** Adds an item to the list that it belongs to; undefined if that is not certain. */
function place(open: Open[], { indent, inner, sign, number, checked }: Line, line: number): ListItem | undefined {
  while (open.length > 1 && indent < (open.at(-1)?.indent ?? 0)) open.pop();
  const last = open.at(-1);
  const child: ListItem = {
    type: 'listItem',
    spread: false,
    checked,
    children: [],
    position: positionOfLines(line, line, indent + 1),
  };
  if (last && indent === last.indent) {
    if (sign !== last.sign) return undefined;
    last.list.children.push(child);
    last.inner = inner;
  } else {
    if (last ? indent !== last.inner : indent !== 0) return undefined;
    const list: List = { type: 'list', ordered: number !== null, start: number, spread: false, children: [child] };
    list.position = positionOfLines(line, line, indent + 1);
    last?.list.children.at(-1)?.children.push(list);
    open.push({ list, indent, inner, sign });
  }
  extend(open, line);
  return child;
}

/** The lists and their last items end with this line. */
function extend(open: readonly Open[], line: number): void {
  for (const { list } of open) {
    for (const node of [list, list.children.at(-1)]) if (node?.position) node.position.end.line = line;
  }
}
