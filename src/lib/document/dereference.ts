import { shownIds, uniquely, withUniqueIds } from './anchors.ts';
import type { RefOf } from './content-ref.ts';
import type { AnyNode, Block, JSONDocument } from './document.ts';
import { mapBlocks, mapChildren } from './map-children.ts';
import { sizeOf } from './size.ts';
import { walk } from './walk.ts';

export type ReusableRef = RefOf<'reusable-content'>;

/** Loads the bodies of reusable contents in the order of the references; undefined for those that cannot be shown. */
export type LoadContents = (refs: ReusableRef[]) => Promise<(JSONDocument | undefined)[]>;

/** Maximum nesting depth of reusable contents. */
const MAX_LEVELS = 8;

/** Maximum number of different reusable contents in one document. */
const MAX_CONTENTS = 200;

/** Maximum number of nodes, and of characters, that replace references in one document. */
const MAX_NODES = 20_000;
const MAX_CHARACTERS = 2_000_000;

/** Contents that are loaded at once. Each can have two million characters, and no more are loaded than can be shown. */
const LOADED_AT_ONCE = 20;

/**
 * Replaces references to reusable contents with their blocks, including nested references, with one load for each 20
 * contents of a nesting level. A reference stays if its content cannot be shown, contains itself, or exceeds the
 * limits. Inserted blocks get new keys and, where the document has them already, new ids, so that a content can be
 * shown more than once.
 */
export async function dereference(document: JSONDocument, load: LoadContents): Promise<JSONDocument> {
  const contents = await loadAll(document, load);
  const unique = uniquely(shownIds(document));
  const room = { nodes: MAX_NODES, characters: MAX_CHARACTERS };

  const fill = (into: JSONDocument, within: readonly string[]): JSONDocument =>
    mapBlocks(into, (block) => {
      if (block.type !== 'reusable-content') return undefined;
      const name = nameOf(block.data.ref);
      const found = within.includes(name) ? undefined : contents.get(name);
      if (!found || found.nodes > room.nodes || found.characters > room.characters) return [block];
      room.nodes -= found.nodes;
      room.characters -= found.characters;
      return rekeyed(fill(withUniqueIds(found.content, unique), [...within, name]).nodes, block.key);
    });
  return contents.size === 0 ? document : fill(document, []);
}

/** A reusable content with its size. */
interface Measured {
  content: JSONDocument;
  nodes: number;
  characters: number;
}

async function loadAll(document: JSONDocument, load: LoadContents): Promise<Map<string, Measured | undefined>> {
  const contents = new Map<string, Measured | undefined>();
  let level = [document];
  let characters = 0;
  for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth++) {
    const pending = new Map(level.flatMap(referencesTo).map((ref) => [nameOf(ref), ref]));
    for (const name of contents.keys()) pending.delete(name);
    const refs = [...pending.values()].slice(0, MAX_CONTENTS - contents.size);
    level = [];
    for (let at = 0; at < refs.length && characters <= MAX_CHARACTERS; at += LOADED_AT_ONCE) {
      const some = refs.slice(at, at + LOADED_AT_ONCE);
      for (const [index, content] of (await load(some)).entries()) {
        const measured = content && measure(content);
        contents.set(nameOf(some[index] as ReusableRef), measured); // loaded in the order of the references
        characters += measured?.characters ?? 0;
        if (content) level.push(content);
      }
    }
  }
  return contents;
}

function referencesTo(document: JSONDocument): ReusableRef[] {
  const refs: ReusableRef[] = [];
  walk(document, (node) => {
    if (node.object === 'block' && node.type === 'reusable-content') refs.push(node.data.ref);
  });
  return refs;
}

const nameOf = ({ reusableContent, space = '' }: ReusableRef) => `${space}/${reusableContent}`;

function measure(content: JSONDocument): Measured {
  let nodes = 0;
  walk(content, () => {
    nodes++;
  });
  return { content, nodes, characters: sizeOf(content, ANY_SIZE).characters };
}

const ANY_SIZE = { values: Number.POSITIVE_INFINITY, characters: MAX_CHARACTERS, depth: Number.POSITIVE_INFINITY };

function rekeyed(nodes: readonly Block[], prefix: string | undefined): Block[] {
  if (prefix === undefined) return [...nodes];
  const rekey = <T extends AnyNode>(node: T): T => {
    const copy = mapChildren(node, (child) => [rekey(child)]);
    return copy.key === undefined ? copy : { ...copy, key: `${prefix}-${copy.key}` };
  };
  return nodes.map(rekey);
}
