import { shownIds, uniquely, withIdsBeside } from './anchors.ts';
import type { RefOf } from './content-ref.ts';
import type { AnyNode, Block, JSONDocument } from './document.ts';
import { mapBlocks, mapChildren } from './map-children.ts';
import { walk } from './walk.ts';

export type ReusableRef = RefOf<'reusable-content'>;

/** Loads the bodies of reusable contents in the order of the references; undefined for those that cannot be shown. */
export type LoadContents = (refs: ReusableRef[]) => Promise<(JSONDocument | undefined)[]>;

/** Maximum nesting depth of reusable contents. */
const MAX_LEVELS = 8;

/** Maximum number of different reusable contents in one document. */
const MAX_CONTENTS = 200;

/** Maximum number of nodes that replace references in one document. */
const MAX_NODES = 20_000;

/**
 * Replaces references to reusable contents with their blocks, including nested references, with one load per nesting
 * level. A reference stays if its content cannot be shown, contains itself, or exceeds the limits. Inserted blocks get
 * new keys and, where the document has them already, new ids, so that a content can be shown more than once.
 */
export async function dereference(document: JSONDocument, load: LoadContents): Promise<JSONDocument> {
  const contents = await loadAll(document, load);
  const unique = uniquely(shownIds(document));
  let room = MAX_NODES;

  const fill = (into: JSONDocument, within: readonly string[]): JSONDocument =>
    mapBlocks(into, (block) => {
      if (block.type !== 'reusable-content') return undefined;
      const name = nameOf(block.data.ref);
      const content = within.includes(name) ? undefined : contents.get(name);
      if (!content) return [block];
      const size = sizeOf(content);
      if (size > room) return [block];
      room -= size;
      return rekeyed(fill(withIdsBeside(content, unique), [...within, name]).nodes, block.key);
    });
  return contents.size === 0 ? document : fill(document, []);
}

async function loadAll(document: JSONDocument, load: LoadContents): Promise<Map<string, JSONDocument | undefined>> {
  const contents = new Map<string, JSONDocument | undefined>();
  let level = [document];
  for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth++) {
    const pending = new Map(level.flatMap(referencesTo).map((ref) => [nameOf(ref), ref]));
    for (const name of contents.keys()) pending.delete(name);
    const refs = [...pending.values()].slice(0, MAX_CONTENTS - contents.size);
    const loaded = refs.length === 0 ? [] : await load(refs);
    for (const [index, ref] of refs.entries()) contents.set(nameOf(ref), loaded[index]);
    level = loaded.filter((content) => content !== undefined);
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

function sizeOf(document: JSONDocument): number {
  let size = 0;
  walk(document, () => {
    size++;
  });
  return size;
}

function rekeyed(nodes: readonly Block[], prefix: string | undefined): Block[] {
  if (prefix === undefined) return [...nodes];
  const rekey = <T extends AnyNode>(node: T): T => {
    const copy = mapChildren(node, (child) => [rekey(child)]);
    return copy.key === undefined ? copy : { ...copy, key: `${prefix}-${copy.key}` };
  };
  return nodes.map(rekey);
}
