import type { ManifestEntry, ManifestSource } from '../tree/manifest.ts';
import type { NewManifestNode } from '../tree/manifest-edit.ts';
import type { NewNode } from '../tree/node.ts';
import type { NodeSource } from '../tree/source.ts';
import { BodyMerger, type DocumentSource, type NewDocument, type NewText, type TextMerger } from './body-merger.ts';
import { type Conflict, ConflictResolver, type Resolution } from './conflict.ts';
import type { BlockMatching } from './document-parts.ts';
import { mergeManifest } from './merge-manifest.ts';
import { mergePages } from './merge-pages.ts';
import { mergeTags } from './merge-tags.ts';
import { mapThreeWay, type ThreeWay } from './three-way.ts';

/** One version of a space's content: hashes in hex. Null is an empty manifest. */
export interface ContentVersion {
  rootHash: string;
  filesHash: string | null;
  reusableContentsHash: string | null;
  variablesHash: string | null;
  tagsHash: string | null;
}

/** Loads objects by their hashes, and merges texts. */
export interface ContentSources {
  nodes: NodeSource;
  manifests: ManifestSource<ManifestEntry>;
  documents: DocumentSource;
  texts: TextMerger;
}

/** The merged content and its new objects to store. */
export interface MergedContent extends ContentVersion {
  newNodes: NewNode[];
  newManifestNodes: NewManifestNode<ManifestEntry>[];
  documents: NewDocument[];
  sources: NewText[];
}

export type MergeOutcome =
  | { merged: MergedContent }
  | {
      /** Conflicts without a resolution. Resolutions can cause new conflicts, such as moves that form a cycle. */
      conflicts: Conflict[];
      /** Ids of resolutions without a conflict, because the content has changed or the ids are wrong. */
      unknown: string[];
      /** Ids of conflicts with a resolution of the wrong kind. They are in `conflicts` too. */
      unfit: string[];
    };

/**
 * Three-way merge of a space's content. `ours` is the change request, `theirs` the primary content. Deterministic: the
 * result depends only on the versions and the resolutions by conflict id. The cost depends on the size of the
 * differences from the base.
 */
export async function mergeVersions(
  versions: ThreeWay<ContentVersion>,
  sources: ContentSources,
  resolutions: ReadonlyMap<string, Resolution> = new Map(),
  matching?: BlockMatching,
): Promise<MergeOutcome> {
  const resolver = new ConflictResolver(resolutions);
  const bodies = new BodyMerger(sources.documents, sources.texts, resolver, matching);
  const roots = mapThreeWay(versions, ({ rootHash }) => rootHash);
  const pages = await mergePages(roots, sources.nodes, resolver, bodies);
  const manifest = (
    name: 'filesHash' | 'reusableContentsHash' | 'variablesHash',
    type: 'file' | 'reusable-content' | 'variable',
  ) =>
    mergeManifest(
      mapThreeWay(versions, (version) => version[name]),
      type,
      sources.manifests,
      { resolver, bodies },
    );
  const files = await manifest('filesHash', 'file');
  const reusableContents = await manifest('reusableContentsHash', 'reusable-content');
  const variables = await manifest('variablesHash', 'variable');
  await bodies.run();
  const { open: conflicts, unfit } = resolver;
  const unknown = await unknownIds(resolver.unknown, versions, sources, matching);
  if (conflicts.length > 0 || unknown.length > 0) return { conflicts, unknown, unfit };
  const tree = await pages.seal();
  const tags = await mergeTags(
    mapThreeWay(versions, ({ tagsHash }) => tagsHash),
    sources.manifests,
  );
  const manifests = [await files.seal(), await reusableContents.seal(), await variables.seal(), tags] as const;
  return {
    merged: {
      ...tree,
      filesHash: manifests[0].rootHash,
      reusableContentsHash: manifests[1].rootHash,
      variablesHash: manifests[2].rootHash,
      tagsHash: manifests[3].rootHash,
      newManifestNodes: manifests.flatMap(({ newNodes }) => newNodes),
      documents: [...bodies.documents.values()],
      sources: [...bodies.sources.values()],
    },
  };
}

/**
 * Ids that are not conflicts of the merge without resolutions. A resolution may remove other conflicts, whose ids are
 * still known.
 */
async function unknownIds(
  ids: string[],
  versions: ThreeWay<ContentVersion>,
  sources: ContentSources,
  matching: BlockMatching | undefined,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const unresolved = await mergeVersions(versions, sources, new Map(), matching);
  const conflictIds = new Set('conflicts' in unresolved ? unresolved.conflicts.map(({ id }) => id) : []);
  return ids.filter((id) => !conflictIds.has(id));
}
