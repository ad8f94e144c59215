import type { RootContent } from 'mdast';
import type { Attributes, Token } from './markup.ts';

/** Nodes of Markdown, and the elements that HTML and block tags form around them. */
export type Item = NodeItem | TextItem | Element;

export interface NodeItem {
  kind: 'node';
  node: RootContent;
}

export interface TextItem {
  kind: 'text';
  /** HTML text with undecoded references and original white space. */
  source: string;
  line: number;
}

export interface Element {
  kind: 'element';
  name: string;
  attributes: Attributes;
  /** The text after the name in the opening tag, as it was written. */
  rest: string;
  source: string;
  line: number;
  /** Line of the node with the closing tag, or of the last node in the element. */
  endLine: number;
  items: Item[];
  /** The closing tag, if there is one. */
  closing?: { source: string; line: number };
}

/** A tag at its place among siblings, or another node. */
export type Placed = { kind: 'node'; node: RootContent } | (Token & { line: number; inBlock: boolean });
