import type { RootContent } from 'mdast';
import type { Attributes, Token } from './markup.ts';

/** Markdown's own nodes, and the elements that HTML and block tags make around them. */
export type Item = NodeItem | TextItem | Element;

export interface NodeItem {
  kind: 'node';
  node: RootContent;
}

export interface TextItem {
  kind: 'text';
  /** HTML text: references not yet decoded, white space as written. */
  source: string;
  line: number;
}

export interface Element {
  kind: 'element';
  name: string;
  attributes: Attributes;
  /** What stands behind the name in the opening tag, as written. */
  rest: string;
  source: string;
  line: number;
  items: Item[];
}

/** A tag at its place among siblings, or a node that is none. */
export type Placed = { kind: 'node'; node: RootContent } | (Token & { line: number; inBlock: boolean });
