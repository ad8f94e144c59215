import { canonicalJson, hashOf } from '../../../src/lib/canonical.ts';
import { textNode } from '../../../src/lib/document/build.ts';
import type { Block, JSONDocument } from '../../../src/lib/document/document.ts';
import { documentOf } from '../../../src/lib/document/empty.ts';
import type { StoredText } from '../../../src/lib/merge/body-merger.ts';
import type { Conflict, Resolution } from '../../../src/lib/merge/conflict.ts';
import { type ContentVersion, type MergedContent, mergeVersions } from '../../../src/lib/merge/merge-versions.ts';
import { type ContestedBody, mergeTexts } from '../../../src/lib/merge/texts/merge-texts.ts';
import type { ThreeWay } from '../../../src/lib/merge/three-way.ts';
import type { ManifestEntry, ManifestNode } from '../../../src/lib/tree/manifest.ts';
import { editManifest } from '../../../src/lib/tree/manifest-edit.ts';
import { type Model, type ModelPage, toModel } from '../tree/model.ts';
import { makeStore, makeTreeStore } from '../tree/store.ts';
import { loadTreeByLevel } from '../tree/whole-tree.ts';

/** Stores of nodes, manifests and documents. */
export function makeContentStore() {
  const nodes = makeTreeStore();
  const manifests = makeStore<ManifestNode<ManifestEntry>>();
  const documents = makeStore<JSONDocument>();
  const texts = makeStore<StoredText>();
  return {
    nodes,
    manifests,
    documents,
    sources: {
      nodes: nodes.source,
      manifests: manifests.source,
      documents: documents.source,
      texts: { load: texts.source, merge: async (contested: ContestedBody) => mergeTexts(contested) },
    },
    async keepEntries(entries: ManifestEntry[]): Promise<string | null> {
      const { rootHash, newNodes } = await editManifest(null, manifests.source, { put: entries });
      manifests.add(newNodes);
      return rootHash;
    },
    keepDocument(document: JSONDocument): string {
      const hash = hashOf(document);
      documents.nodes.set(hash, document);
      return hash;
    },
    /** Keeps the text that a document was written as. */
    keepText(body: string, document: JSONDocument): string {
      const text = { head: '', body, links: {}, document: hashOf(document) };
      const hash = hashOf(text);
      texts.nodes.set(hash, text);
      return hash;
    },
    keep({ newNodes, newManifestNodes, documents: bodies, sources }: MergedContent): void {
      nodes.add(newNodes);
      manifests.add(newManifestNodes);
      for (const { hash, body } of bodies) documents.nodes.set(hash, body);
      for (const { hash, ...text } of sources) texts.nodes.set(hash, text);
    },
  };
}

export type ContentStore = ReturnType<typeof makeContentStore>;

export const onlyPages = (rootHash: string): ContentVersion => ({
  rootHash,
  filesHash: null,
  reusableContentsHash: null,
  variablesHash: null,
  tagsHash: null,
});

export interface Merged {
  conflicts: Conflict[];
  content: ContentVersion;
}

/** Merges and stores; conflicts are resolved by `choose`, until none is left. */
export async function mergeWith(
  store: ContentStore,
  versions: ThreeWay<ContentVersion>,
  choose: (conflict: Conflict) => Resolution,
): Promise<Merged> {
  const resolutions = new Map<string, Resolution>();
  const conflicts: Conflict[] = [];
  for (let round = 0; round < 20; round++) {
    const outcome = await mergeVersions(versions, store.sources, resolutions);
    if ('merged' in outcome) {
      store.keep(outcome.merged);
      return { conflicts, content: outcome.merged };
    }
    if (outcome.unknown.length > 0 || outcome.unfit.length > 0) throw new Error('A resolution was not taken.');
    for (const conflict of outcome.conflicts) resolutions.set(conflict.id, choose(conflict));
    conflicts.push(...outcome.conflicts);
  }
  throw new Error('The conflicts do not end.');
}

export const neverConflicts = (conflict: Conflict): never => {
  throw new Error(`There is a conflict: ${canonicalJson(conflict)}`);
};

export const treeOf = async (store: ContentStore, rootHash: string): Promise<Model> =>
  toModel(await loadTreeByLevel(rootHash, store.nodes.source));

export interface Placed {
  page: ModelPage;
  parentId: string | null;
}

/** The pages of a tree by id. */
export function placedIn({ pages }: Model, parentId: string | null = null): Map<string, Placed> {
  return new Map(pages.flatMap((page) => [[page.pageId, { page, parentId }] as const, ...placedIn(page, page.pageId)]));
}

/** A paragraph with a key and a text. */
export const line = (key: string, value: string): Block => ({
  object: 'block',
  type: 'paragraph',
  isVoid: false,
  key,
  data: {},
  nodes: [{ ...textNode(value), key: `${key}-text` }],
});

export const linesOf = (lines: readonly (readonly [string, string])[]): JSONDocument =>
  documentOf(lines.map(([key, value]) => line(key, value)));
