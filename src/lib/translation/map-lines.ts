import type { AnyNode, Block, Inline, JSONDocument, Phrasing, TableData } from '../document/document.ts';
import { mapChildren } from '../document/map-children.ts';

/**
 * Functions that are applied to the texts of a document. Each text has a name that stays the same while its node keeps
 * its key.
 */
export interface LineMapper {
  /** A line of text of a block. */
  line(name: string, nodes: Phrasing[]): Phrasing[];
  /** A text in the data of a node, such as the title of a tab or the alternative text of an image. */
  text(name: string, value: string): string;
}

/**
 * Replaces everything in a document that readers read as prose, in reading order. Code, formulas, expressions, and
 * content that other services provide are not prose. Returns the document itself if nothing was replaced.
 */
export const mapLines = (document: JSONDocument, mapper: LineMapper): JSONDocument =>
  mapChildren(document, (node) => [mapNode(node, mapper)]);

function mapNode(node: AnyNode, mapper: LineMapper): AnyNode {
  if (node.object !== 'block') return mapChildren(node, (child) => [mapNode(child, mapper)]);
  if (node.type === 'code') return node;
  const titled = mapData(node, mapper) as Block;
  if (titled.type !== 'paragraph' && !titled.type.startsWith('heading-')) {
    return mapChildren(titled, (child) => [mapNode(child, mapper)]);
  }
  const before = (titled as { nodes: Phrasing[] }).nodes; // of paragraphs and headings
  const inner = mapInlines(before, mapper);
  const nodes = mapper.line(titled.key ?? '', inner);
  return nodes === before ? titled : ({ ...titled, nodes } as Block);
}

/** Maps what is inside inlines of a line: their data and fragments. Their phrasing belongs to the line. */
function mapInlines(nodes: Phrasing[], mapper: LineMapper): Phrasing[] {
  const mapped = nodes.map((node): Phrasing => {
    if (node.object === 'text') return node;
    const inline = mapData(node, mapper) as Inline;
    if (inline.type !== 'link' && inline.type !== 'annotation') return inline;
    const inner = mapInlines(inline.nodes, mapper);
    const result = inner === inline.nodes ? inline : { ...inline, nodes: inner };
    if (result.type !== 'annotation') return result;
    const fragments = result.fragments.map((each) => mapChildren(each, (child) => [mapNode(child, mapper)]));
    return fragments.every((each, index) => each === result.fragments[index]) ? result : { ...result, fragments };
  });
  return mapped.every((node, index) => node === nodes[index]) ? nodes : mapped;
}

/** Names of the texts in the data of nodes. */
const TEXTS: Record<string, readonly string[]> = {
  'tabs-item': ['title'],
  image: ['alt'],
  'inline-image': ['alt', 'caption'],
  button: ['label'],
  'openapi-schemas': ['title'],
};

function mapData(node: Block | Inline, mapper: LineMapper): Block | Inline {
  if (node.type === 'table') {
    const mapped = mapTable(node.data, node.key ?? '', mapper);
    return mapped === node.data ? node : { ...node, data: mapped };
  }
  const names = TEXTS[node.type];
  if (!names) return node;
  const data = node.data as Record<string, unknown>;
  const changed: Record<string, string> = {};
  for (const name of names) {
    const value = data[name];
    if (typeof value !== 'string' || value === '') continue;
    const mapped = mapper.text(`${node.key ?? ''}.${name}`, value);
    if (mapped !== value) changed[name] = mapped;
  }
  return Object.keys(changed).length === 0 ? node : ({ ...node, data: { ...data, ...changed } } as Block | Inline);
}

function mapTable(data: TableData, key: string, mapper: LineMapper): TableData {
  let isSame = true;
  const map = (name: string, value: string): string => {
    const mapped = value === '' ? '' : mapper.text(`${key}.${name}`, value);
    isSame &&= mapped === value;
    return mapped;
  };
  const columns = Object.entries(data.definition).map(([id, column]) => {
    const title = map(id, column.title);
    if (column.type !== 'select') return [id, { ...column, title }] as const;
    const options = column.options.map((option) => ({ ...option, label: map(`${id}.${option.value}`, option.label) }));
    return [id, { ...column, title, options }] as const;
  });
  return isSame ? data : { ...data, definition: Object.fromEntries(columns) };
}
