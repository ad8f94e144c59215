import { type Block, type JSONDocument, SCHEMA_VERSION } from './document.ts';

export function emptyDocument(): JSONDocument {
  return documentOf([]);
}

export function documentOf(nodes: Block[]): JSONDocument {
  return { object: 'document', data: { schemaVersion: SCHEMA_VERSION }, nodes };
}

/** True if nothing is visible: no blocks, or only paragraphs without text and inlines. */
export function isEmptyDocument(document: JSONDocument): boolean {
  return document.nodes.every(isEmptyParagraph);
}

export function isEmptyParagraph(block: Block): boolean {
  if (block.type !== 'paragraph' || block.anchors) return false;
  return block.nodes.every((node) => node.object === 'text' && node.leaves.every((leaf) => leaf.text === ''));
}
