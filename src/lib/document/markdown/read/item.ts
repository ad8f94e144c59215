import type { RootContent } from 'mdast';
import type { Attributes, MarkupToken } from './markup.ts';

/** Nodes of Markdown, and the elements that HTML and block tags form around them. */
export type Item = NodeItem | TextItem | MarkupElement;

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

export interface MarkupElement {
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
export type PlacedItem = { kind: 'node'; node: RootContent } | (MarkupToken & { line: number; inBlock: boolean });
